import { expect, test } from '@jest/globals';
import { createTestDatabase, findGap, race, startFaultProxy, valuesOf } from '@solegate/testkit';
import { Client } from 'pg';

const sql = 'CREATE TABLE counter (last int); INSERT INTO counter VALUES (0)';
const next = 'UPDATE counter SET last = last + 1 RETURNING last';

test('twenty contenders get 1 … 20', async () => {
  await using database = await createTestDatabase({ migrations: [{ name: '0001-counter', sql }] });
  const numbers = valuesOf(
    await race(20, async () => {
      const { rows } = await database.pool.query<{ last: number }>(next);
      return rows[0]?.last ?? 0;
    }),
  );
  expect(findGap(numbers)).toBeUndefined();
});

test('a number whose reply was lost is taken', async () => {
  await using database = await createTestDatabase({ migrations: [{ name: '0001-counter', sql }] });
  await using proxy = await startFaultProxy(database.url);
  const caller = new Client({ connectionString: proxy.url });
  caller.on('error', () => {});
  await caller.connect();

  proxy.set('cutAfterReply', { count: 1 });
  await expect(caller.query(next)).rejects.toThrow('Connection terminated');
  expect((await database.pool.query('SELECT last FROM counter')).rows).toEqual([{ last: 1 }]);
});
