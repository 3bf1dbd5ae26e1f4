import { expect, test } from '@jest/globals';
import { createTestDatabase, startRedisServer, until } from '@solegate/testkit';
import { asRuntimeRole, startTestGateway } from './gateway-fixture.js';

const ISSUE = `mutation { issueDocumentNumber(input: {
  projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"
}) { ... on DocumentNumber { sequence } } }`;

test('a gateway whose first start was without Redis has the demo data once Redis is there', async () => {
  const [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  await redis.kill();
  const databaseUrl = await asRuntimeRole(database.url);
  const gateway = await startTestGateway({ databaseUrl, redisUrl: redis.url });
  try {
    expect((await gateway.ask(ISSUE)).errors[0]?.extensions.reason).toBe('UNKNOWN_CODE');
    await redis.restart();
    const issued = await until(async () => {
      const answer = await gateway.ask(ISSUE);
      return answer.errors.length === 0 && answer.data;
    });
    expect(issued).toEqual({ issueDocumentNumber: { sequence: 1 } });
  } finally {
    await gateway.stop();
    await Promise.all([database.drop(), redis.stop()]);
  }
});
