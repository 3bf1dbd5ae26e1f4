import { describe, expect, test } from '@jest/globals';
import { inThread } from './fleet/in-thread.js';

describe('a static node in a thread', () => {
  test.each([
    [{ node: 7 }, 'INVALID_GENERATOR_OPTIONS'],
    [{ node: 7, allowOffMainThread: true }, 'minted'],
  ])('%j: %s', async (options, answer) => {
    expect(await inThread<string>(new URL('./static-node-thread.ts', import.meta.url), options)).toBe(answer);
  });
});
