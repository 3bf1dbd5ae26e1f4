import { expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { FileStores } from './gateway-fixture.js';
import { startInProcess } from './in-process-gateway.js';

const stores = new FileStores();

/** Starts a gateway in this process that creates the demo history in the background. */
function startDemo() {
  const { databaseUrl, redisUrl } = stores;
  return startInProcess({ databaseUrl, redisUrl, migrates: true, demoHistory: true });
}

async function countOf(table: string): Promise<number> {
  const { rows } = await stores.database.pool.query(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0].count;
}

test('a demo history interrupted after its first numbers is completed once, by the next start', async () => {
  const first = await startDemo();
  await until(async () => (await countOf('document_number_counters')) > 0);
  await first.stop();
  expect(await countOf('document_number_counters')).toBeLessThan(5);
  for (let start = 0; start < 2; start += 1) {
    const next = await startDemo();
    await until(async () => (await countOf('trips')) === 6);
    await next.stop();
    expect(await countOf('document_number_counters')).toBe(5);
  }
  expect(await countOf('trips')).toBe(6);
});
