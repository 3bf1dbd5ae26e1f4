import { afterEach, expect, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import { Deadlines } from '../src/budget/deadlines.js';

const clock = manualClock(0);
let deadlines: Deadlines;

afterEach(() => deadlines.stop());

function start(): Deadlines {
  deadlines = new Deadlines(() => clock.now());
  return deadlines;
}

test('work that settles before its deadline keeps its outcome', async () => {
  const { within } = bound(start());
  expect(await within(Promise.resolve('done'))).toBe('done');
  await expect(within(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('work that does not settle times out at its deadline, in order of start', async () => {
  const { within, sweep } = bound(start());
  const givenUp: string[] = [];
  const never = new Promise<never>(() => undefined);
  const waitFor = (name: string) => within(never).catch(({ reason }) => givenUp.push(`${name} ${reason}`));
  const first = waitFor('first');
  clock.advance(400);
  const second = waitFor('second');
  clock.advance(599);
  sweep();
  expect(givenUp).toEqual([]);
  clock.advance(1);
  sweep();
  await first;
  expect(givenUp).toEqual(['first REQUEST_TIMEOUT']);
  clock.advance(400);
  sweep();
  await second;
  expect(givenUp).toEqual(['first REQUEST_TIMEOUT', 'second REQUEST_TIMEOUT']);
});

test('a request whose body came late is not kept waiting by those with a later deadline', async () => {
  const { sweep } = bound(start());
  const never = new Promise<never>(() => undefined);
  const later = deadlines.by(clock.now() + 3_000, never).catch(() => 'later');
  const sooner = deadlines.by(clock.now() + 1_000, never).catch(() => 'sooner');
  clock.advance(1_000);
  sweep();
  expect(await Promise.race([later, sooner])).toBe('sooner');
});

test('the error reports an unknown outcome', async () => {
  const { within, sweep } = bound(start());
  const refused = expect(within(new Promise<never>(() => undefined))).rejects.toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    retryable: true,
  });
  clock.advance(1_000);
  sweep();
  await refused;
});

function bound(instance: Deadlines) {
  return {
    within: <Outcome>(work: Promise<Outcome>) => instance.by(clock.now() + 1_000, work),
    sweep: () => instance.sweep(),
  };
}
