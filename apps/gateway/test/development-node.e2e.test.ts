import { expect, test } from '@jest/globals';
import { createTestDatabase, startRedisServer } from '@solegate/testkit';
import { startTestGateway } from './gateway-fixture.js';

test('a gateway starts on an empty database without Redis; with a development node it mints IDs', async () => {
  const database = await createTestDatabase({ migrations: [] });
  const gone = await startRedisServer();
  await gone.stop();
  const stores = { databaseUrl: database.url, redisUrl: gone.url };
  const without = await startTestGateway(stores);
  expect(without.node).toBeUndefined();
  expect((await fetch(`${without.url}/health/ready`)).status).toBe(200);
  await without.stop();
  const gateway = await startTestGateway(stores, { DEVELOPMENT_NODE: 'on' });
  try {
    const { data } = await gateway.ask(
      'mutation { generateTsids(count: 3) { ... on TsidsGenerated { ids } } }',
    );
    expect(new Set(data.generateTsids.ids).size).toBe(3);
    expect(gateway.node).toBeGreaterThanOrEqual(0);
  } finally {
    await gateway.stop();
    await database.drop();
  }
});
