import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { GroupCommit } from '../src/accept/group-commit.js';

/** A commit that ends when the test says so. */
function heldCommits() {
  const groups: { items: readonly number[]; end: () => void }[] = [];
  const commit = (items: readonly number[]) =>
    new Promise<number[]>((resolve) => {
      groups.push({ items, end: () => resolve(items.map((item) => item * 10)) });
    });
  return { groups, commit };
}

/** Longer than any test. */
const NEVER = 60_000;

describe('a group commit', () => {
  test('lets a lone caller go at once and gathers those who come while all commits are under way', async () => {
    const { groups, commit } = heldCommits();
    const group = new GroupCommit({ commit, batchMax: 100, concurrencyMax: 1, lateMs: NEVER });
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

  test('gathers while a commit is under way, though there is room for another', async () => {
    const { groups, commit } = heldCommits();
    const group = new GroupCommit({ commit, batchMax: 100, concurrencyMax: 2, lateMs: NEVER });
    const answers = [1, 2, 3].map((item) => group.submit(item));
    await until(() => groups.length === 1);
    answers.push(...[4, 5, 6, 7].map((item) => group.submit(item)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(groups).toHaveLength(1);
    groups[0]?.end();
    await until(() => groups.length === 2);
    expect(groups[1]?.items).toEqual([4, 5, 6, 7]);
    groups[1]?.end();
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50, 60, 70]);
  });

  test('lets the next go past a commit that is late, and gathers again behind that one', async () => {
    const { groups, commit } = heldCommits();
    const group = new GroupCommit({ commit, batchMax: 100, concurrencyMax: 3, lateMs: 5 });
    const late = group.submit(1);
    await until(() => groups.length === 1);
    const next = group.submit(2);
    await until(() => groups.length === 2);
    expect(groups[1]?.items).toEqual([2]);
    groups[1]?.end();
    expect(await next).toBe(20);
    const another = group.submit(3);
    await until(() => groups.length === 3);
    groups[2]?.end();
    expect(await another).toBe(30);
    groups[0]?.end();
    expect(await late).toBe(10);
  });

  test('takes no more than its share at once', async () => {
    const { groups, commit } = heldCommits();
    const group = new GroupCommit({ commit, batchMax: 2, concurrencyMax: 2, lateMs: NEVER });
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

  test('tells each caller of a commit that failed, and goes on with the next', async () => {
    let isBroken = true;
    const group = new GroupCommit<number, number>({
      commit: async (items) => {
        if (isBroken) throw new Error('gone');
        return items;
      },
      batchMax: 10,
      concurrencyMax: 1,
      lateMs: NEVER,
    });
    const failed = [group.submit(1), group.submit(2)];
    for (const call of failed) await expect(call).rejects.toThrow('gone');
    isBroken = false;
    expect(await group.submit(3)).toBe(3);
  });

  test('never leaves a caller without an answer', async () => {
    const group = new GroupCommit<number, number>({
      commit: async (items) => items.slice(1),
      batchMax: 10,
      concurrencyMax: 1,
      lateMs: NEVER,
    });
    const calls = [group.submit(1), group.submit(2)];
    expect(await calls[0]).toBe(2);
    await expect(calls[1]).rejects.toThrow(/unanswered/);
  });
});
