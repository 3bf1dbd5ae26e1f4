import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { GroupCommit, type Submitted } from '../src/accept/group-commit.js';

/** A commit that the test ends. */
function heldCommits() {
  const groups: { items: readonly number[]; end: () => void }[] = [];
  const commit = async (group: readonly Submitted<number, number>[]) => {
    await new Promise<void>((end) => {
      groups.push({ items: group.map(({ item }) => item), end });
    });
    for (const { item, answer } of group) answer(item * 10);
  };
  return { groups, commit };
}

describe('a group commit', () => {
  test('sends a single item immediately and groups those that arrive while all commits are running', async () => {
    const { groups, commit } = heldCommits();
    const group = new GroupCommit({ commit, batchMax: 100, concurrencyMax: 1 });
    const first = group.submit(1);
    await until(() => groups.length === 1);
    const others = [2, 3, 4].map((item) => group.submit(item));
    groups[0]?.end();
    expect(await first).toBe(10);
    await until(() => groups.length === 2);
    expect(groups[1]?.items).toEqual([2, 3, 4]);
    groups[1]?.end();
    expect(await Promise.all(others)).toEqual([20, 30, 40]);
  });

  test('sends items that arrive in the meantime together, past a running commit', async () => {
    const { groups, commit } = heldCommits();
    const group = new GroupCommit({ commit, batchMax: 100, concurrencyMax: 2 });
    const slow = [1, 2, 3].map((item) => group.submit(item));
    await until(() => groups.length === 1);
    const next = [4, 5, 6].map((item) => group.submit(item));
    await until(() => groups.length === 2);
    expect(groups[1]?.items).toEqual([4, 5, 6]);
    groups[1]?.end();
    expect(await Promise.all(next)).toEqual([40, 50, 60]);
    const another = group.submit(7);
    await until(() => groups.length === 3);
    groups[2]?.end();
    expect(await another).toBe(70);
    groups[0]?.end();
    expect(await Promise.all(slow)).toEqual([10, 20, 30]);
  });

  test('respects the limits on batch size and concurrency', async () => {
    const { groups, commit } = heldCommits();
    const group = new GroupCommit({ commit, batchMax: 2, concurrencyMax: 2 });
    const answers = Promise.all([1, 2, 3, 4, 5].map((item) => group.submit(item)));
    await until(() => groups.length === 2);
    expect(groups.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    for (const { end } of groups) end();
    await until(() => groups.length === 3);
    groups[2]?.end();
    expect(await answers).toEqual([10, 20, 30, 40, 50]);
  });

  test('reports a failed commit to each caller, and continues with the next', async () => {
    let isBroken = true;
    const group = new GroupCommit<number, number>({
      commit: async (group) => {
        if (isBroken) throw new Error('gone');
        for (const { item, answer } of group) answer(item);
      },
      batchMax: 10,
      concurrencyMax: 1,
    });
    const failed = [group.submit(1), group.submit(2)];
    for (const call of failed) await expect(call).rejects.toThrow('gone');
    isBroken = false;
    expect(await group.submit(3)).toBe(3);
  });

  test('never leaves a caller without an answer', async () => {
    const group = new GroupCommit<number, number>({
      commit: async ([first]) => first?.answer(2),
      batchMax: 10,
      concurrencyMax: 1,
    });
    const calls = [group.submit(1), group.submit(2)];
    expect(await calls[0]).toBe(2);
    await expect(calls[1]).rejects.toThrow(/unanswered/);
  });
});
