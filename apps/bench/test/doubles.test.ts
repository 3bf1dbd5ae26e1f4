import { beforeEach, describe, expect, test } from '@jest/globals';
import { mockClock } from '../src/ids/mocked-clock.js';
import { forgetfulPool } from '../src/running/forgetful-pool.js';

describe('a mocked clock', () => {
  test('advances by a millisecond every 256 readings, or immediately on request', () => {
    const clock = mockClock();
    const startedMs = Date.now();
    for (let reading = 0; reading < 256; reading += 1) Date.now();
    expect(Date.now()).toBe(startedMs + 1);
    clock.tick();
    expect(Date.now()).toBe(startedMs + 2);
    clock.restore();
  });
});

describe('a forgetful pool', () => {
  const sent: string[] = [];
  const client = {
    query: async (statement: unknown) => {
      sent.push(String(statement));
      return { rows: [{ id: 1 }], rowCount: 1 };
    },
    release: () => undefined,
  };
  const pool = { connect: async () => client };

  beforeEach(() => {
    sent.length = 0;
  });

  test('returns the rows of every second write but rolls it back; leaves reads alone', async () => {
    const forgetful = await forgetfulPool(pool).connect();
    await forgetful.query('SELECT 1');
    await forgetful.query('UPDATE a');
    expect((await forgetful.query('UPDATE b')).rows).toEqual([{ id: 1 }]);
    expect(sent).toEqual(['SELECT 1', 'UPDATE a', 'BEGIN', 'UPDATE b', 'ROLLBACK']);
  });

  test('turns every second commit into a rollback', async () => {
    const session = await forgetfulPool(pool).connect();
    for (const statement of ['BEGIN', 'COMMIT', 'BEGIN', 'COMMIT']) await session.query(statement);
    expect(sent).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'ROLLBACK']);
  });
});
