import { expect, test } from '@jest/globals';
import { UntilTimeoutError, until } from '../src/index.js';

test('resolves with the first truthy result and stops polling', async () => {
  const answers = [0, '', undefined, 'here', 'too late'];
  let askedCount = 0;
  expect(await until(() => answers[askedCount++], { intervalMs: 1 })).toBe('here');
  expect(askedCount).toBe(4);
});

test('an error counts as not yet', async () => {
  let tryCount = 0;
  const condition = async () => {
    tryCount += 1;
    if (tryCount < 3) throw new Error('still starting');
    return true;
  };
  expect(await until(condition, { intervalMs: 1 })).toBe(true);
});

test('a timeout reports the unmet condition and its last error', async () => {
  const condition = () => {
    throw new Error('refused');
  };
  const failure = until(condition, { timeoutMs: 20, intervalMs: 1, what: 'The server' });
  await expect(failure).rejects.toThrow(UntilTimeoutError);
  await expect(failure).rejects.toMatchObject({
    code: 'UNTIL_TIMEOUT',
    message: 'The server did not come true within 20 ms',
    cause: new Error('refused'),
  });
});

test('checks once even with a timeout of zero', async () => {
  expect(await until(() => 'at once', { timeoutMs: 0 })).toBe('at once');
});
