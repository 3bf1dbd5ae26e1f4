import { expect, test } from '@jest/globals';
import { ChildSilentError, forkTypeScript } from '../src/index.js';

const echo = new URL('./fixtures/echo.ts', import.meta.url);

test('a child gets its arguments and exchanges JSON lines', async () => {
  await using child = forkTypeScript(echo, ['first', 'second']);
  expect(await child.nextLine()).toEqual({ pid: child.pid, args: ['first', 'second'] });
  child.send({ id: 1 });
  child.send('two');
  expect(await child.nextLine()).toEqual([{ id: 1 }, { id: 1 }]);
  expect(await child.nextLine()).toEqual(['two', 'two']);
  expect(child.lines).toHaveLength(3);
});

test('the end of a child is reported, also to a caller that is waiting for a line', async () => {
  await using child = forkTypeScript(echo);
  await child.nextLine();
  child.send('end');
  await expect(child.nextLine()).rejects.toThrow(ChildSilentError);
  expect(await child.exited).toEqual({ code: 7, signal: null });
});

test('a paused child prints nothing until it is resumed', async () => {
  await using child = forkTypeScript(echo);
  await child.nextLine();
  child.pause();
  child.send(1);
  await expect(child.nextLine(100)).rejects.toMatchObject({
    code: 'CHILD_SILENT',
    pid: child.pid,
    message: expect.stringContaining('silent for 100 ms'),
  });
  child.resume();
  expect(await child.nextLine()).toEqual([1, 1]);
});

test('kill ends a child immediately, even a paused one, and can be repeated', async () => {
  const child = forkTypeScript(echo);
  await child.nextLine();
  child.pause();
  await child.kill();
  await child.kill();
  expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
});
