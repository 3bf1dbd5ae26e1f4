import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type RedisTestServer,
  startRedisServer,
  type TestDatabase,
  until,
} from '@solegate/testkit';
import { startTestGateway, type TestGateway } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT } from './tokens.js';

/** Gateways share the rate-limit windows in Redis: spreading a flood over both does not raise its limit. */
let database: TestDatabase;
let redis: RedisTestServer;
let gateways: [TestGateway, TestGateway];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  const stores = { databaseUrl: database.url, redisUrl: redis.url };
  const environment = { ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '20' };
  gateways = await Promise.all([
    startTestGateway(stores, environment),
    startTestGateway(stores, environment),
  ]);
});

afterAll(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway.stop()));
  await redis?.stop();
  await database?.drop();
});

async function flood(count: number, subject: string): Promise<number[]> {
  const headers = await bearer({ subject });
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      gateways[index % 2 === 0 ? 0 : 1].ask('{ tsid(id: "1") { node } }', { headers }),
    ),
  );
  for (const { status, errors, headers: received } of answers.filter((answer) => answer.status !== 200)) {
    expect(status).toBe(429);
    expect(errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    expect(Number(received.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  return answers.map(({ status }) => status);
}

const accepted = (statuses: readonly number[]): number => statuses.filter((status) => status === 200).length;

/** The current second by the clock of Redis, which decides the windows. */
const secondOfRedis = async (): Promise<number> => Number((await redis.client().time())[0]);

test('a flood from one subject over both gateways gets one limit per window, and no more', async () => {
  const first = await secondOfRedis();
  const statuses = await flood(100, '71');
  const windowCount = (await secondOfRedis()) - first + 1;
  // The calls that reach the limit together are refused together: at most a tenth of it in each gateway.
  expect(accepted(statuses)).toBeGreaterThanOrEqual(20 - 2 * 2);
  expect(accepted(statuses)).toBeLessThanOrEqual(20 * (windowCount + 1));
});

test('other subjects are not affected', async () => {
  await flood(60, '72');
  const { status } = await gateways[0].ask('{ tsid(id: "1") { node } }', {
    headers: await bearer({ subject: '73' }),
  });
  expect(status).toBe(200);
});

test('a costly operation spends more points', async () => {
  const headers = await bearer({ subject: '74' });
  const query = `mutation { issueDocumentNumbers(input: { count: 1,
    projectCode: "NONE", organizationCode: "X", typeCode: "X", disciplineCode: "X"
  }) { __typename } }`;
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await gateways[0].ask(query, { headers })).status),
  );
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(8);
});

test("failed authentication spends the address's points", async () => {
  const strict = await startTestGateway(
    { databaseUrl: database.url, redisUrl: redis.url },
    { ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '1' },
  );
  const guess = () => strict.ask('{ __typename }', { headers: { authorization: 'Bearer a.b.c' } });
  // An address has ten points per second; the earlier floods may have used them all.
  await until(async () => (await guess()).status === 401, { intervalMs: 300 });
  // On a busy machine the guesses spread over several seconds.
  const statuses = new Set<number>();
  await until(async () => {
    for (const { status } of await Promise.all(Array.from({ length: 100 }, guess))) statuses.add(status);
    return statuses.has(429);
  });
  await strict.stop();
  expect([401, 429]).toEqual(expect.arrayContaining([...statuses]));
});

test('without Redis, limits are enforced in memory', async () => {
  await redis.kill();
  const statuses = await flood(100, '75');
  expect(accepted(statuses)).toBeGreaterThanOrEqual(20);
  expect(accepted(statuses)).toBeLessThanOrEqual(80);
  await redis.restart({ keepData: true });
});
