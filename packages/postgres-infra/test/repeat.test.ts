import { describe, expect, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import { Deadline, PostgresFailure, type PostgresFailureKind, repeat, settleBy } from '../src/index.js';

const failure = (kind: PostgresFailureKind, constraint?: string) =>
  new PostgresFailure(kind, kind, { constraint });

/** Work that fails with each of these in turn, one per run, and then succeeds. */
function failingWith(failures: readonly Error[]) {
  let runCount = 0;
  return {
    run: async () => {
      runCount += 1;
      const next = failures[runCount - 1];
      if (next) throw next;
      return 'done';
    },
    get runCount() {
      return runCount;
    },
  };
}

const soon = () => Deadline.after(5_000);
const random = () => 0;

describe('a repeat', () => {
  test('runs work again until it succeeds, and reports each failure in between', async () => {
    const heard: unknown[] = [];
    const work = failingWith([failure('CONFLICT'), failure('UNAVAILABLE')]);
    const onRetry = (facts: unknown) => heard.push(facts);
    expect(await repeat(work.run, { deadline: soon(), random, onRetry })).toBe('done');
    expect(heard).toMatchObject([
      { attempt: 1, failure: { kind: 'CONFLICT' } },
      { attempt: 2, failure: { kind: 'UNAVAILABLE' } },
    ]);
  });

  test.each(['REFUSED', 'MISCONFIGURED'] as const)('is not attempted after %s', async (kind) => {
    const work = failingWith([failure(kind)]);
    await expect(repeat(work.run, { deadline: soon() })).rejects.toMatchObject({ kind });
    expect(work.runCount).toBe(1);
  });

  test('is not attempted after a duplicate key, nor after an error that is not a PostgreSQL failure', async () => {
    const taken = failingWith([failure('CONFLICT', 'a_key')]);
    await expect(repeat(taken.run, { deadline: soon() })).rejects.toMatchObject({ constraint: 'a_key' });
    const broken = failingWith([new TypeError('a bug')]);
    await expect(repeat(broken.run, { deadline: soon() })).rejects.toThrow('a bug');
    expect([taken.runCount, broken.runCount]).toEqual([1, 1]);
  });

  test.each([
    ['is out of attempts', failure('UNAVAILABLE')],
    ['is refused', failure('REFUSED')],
    ['finds a key taken', failure('CONFLICT', 'a_key')],
  ])('that %s is unknown if an earlier attempt might have been applied', async (_, last) => {
    const work = failingWith([failure('UNKNOWN'), last]);
    const call = repeat(work.run, { deadline: soon(), attemptMax: 2, random });
    await expect(call).rejects.toMatchObject({ kind: 'UNKNOWN' });
  });

  test('never begins after the deadline', async () => {
    const clock = manualClock();
    const deadline = Deadline.after(100, clock.now);
    const work = failingWith([failure('UNAVAILABLE'), failure('UNAVAILABLE')]);
    const call = repeat(
      () => {
        clock.advance(100);
        return work.run();
      },
      { deadline, random },
    );
    await expect(call).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
    expect(work.runCount).toBe(1);
  });
});

describe('a deadline', () => {
  test('counts down to nothing and no further', () => {
    const clock = manualClock();
    const deadline = Deadline.after(100, clock.now);
    clock.advance(30);
    expect(deadline.leftMs).toBe(70);
    expect(deadline.atMost(20).leftMs).toBe(20);
    expect(deadline.atMost(500).leftMs).toBe(70);
    expect(Deadline.earliest([deadline, deadline.atMost(10)]).leftMs).toBe(10);
    clock.advance(1_000);
    expect([deadline.leftMs, deadline.hasPassed]).toEqual([0, true]);
  });

  test('does not treat an answer as late that arrived while the process was busy', async () => {
    const deadline = Deadline.after(5);
    const answer = new Promise<string>((resolve) => setTimeout(resolve, 10, 'arrived'));
    const settled = settleBy(answer, deadline, () => new Error('late'));
    const busyUntilMs = performance.now() + 30;
    while (performance.now() < busyUntilMs);
    expect(await settled).toBe('arrived');
  });

  test('causes no unhandled rejection if the work fails later', async () => {
    let fail: (reason: Error) => void = () => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(settleBy(work, Deadline.after(1), () => new Error('late'))).rejects.toThrow('late');
    fail(new Error('even later'));
    await new Promise(setImmediate);
  });
});
