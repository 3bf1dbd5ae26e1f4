import { hostname } from 'node:os';
import { expect, test } from '@jest/globals';
import { gatewayOfFile, type Json } from './gateway-fixture.js';

/** The state of one process, for an operator. */
const gateway = gatewayOfFile();

const OVERVIEW = `{ overview { process startedAt node leaseSecondsLeft idCount
  parts { name isUp awaySeconds } databaseConnections { usedCount waitingCount }
  outbox { waitingCount oldestSeconds } redisMemory { usedBytes maxBytes } waitingMarkCount
  buckets { from seconds operationCount refusedCount failedCount idCount
    numberCount regressionCount commitP50Ms commitP99Ms
    acceptCount tripsWonCount acceptP50Ms acceptP99Ms } } }`;
const SERIES = 'projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';

async function overview(): Promise<Json> {
  const { data, errors } = await gateway.ask(OVERVIEW, { as: 'admin-5' });
  expect(errors).toEqual([]);
  return data.overview;
}

test('counts the IDs, numbers and accepts of the current minute', async () => {
  const before = (await overview()).buckets.at(-1);
  await gateway.ask('mutation { generateTsids(count: 50) { ... on TsidsGenerated { ids } } }');
  await gateway.ask(`mutation { issueDocumentNumber(input: { ${SERIES} }) { __typename } }`);
  await gateway.ask('{ nodeFleet { nodeCount } }', { as: 'driver-1' });
  const { data } = await gateway.ask('mutation { requestTrip(input: {}) { ... on Trip { id } } }', {
    as: 'rider-1',
  });
  const accept = `mutation { acceptTrip(input: { tripId: "${data.requestTrip.id}", offerEpoch: 1 }) { __typename } }`;
  for (const as of ['driver-1', 'driver-2']) await gateway.ask(accept, { as });
  const answer = await overview();
  const now = answer.buckets.at(-1);
  const since = (name: string) => now[name] - before[name];
  expect(since('idCount')).toBeGreaterThanOrEqual(52);
  expect(since('numberCount')).toBe(1);
  expect(since('acceptCount')).toBe(2);
  expect(since('tripsWonCount')).toBe(1);
  expect(since('refusedCount')).toBe(1);
  expect(since('operationCount')).toBeGreaterThanOrEqual(6);
  expect(since('failedCount')).toBe(0);
  expect(now.commitP50Ms).toBeGreaterThan(0);
  expect(now.acceptP50Ms).toBeGreaterThan(0);
  expect(answer).toMatchObject({
    process: `${hostname()}:${gateway.pid}`,
    node: gateway.node,
    databaseConnections: { waitingCount: expect.any(Number) },
    outbox: { waitingCount: expect.any(Number), oldestSeconds: expect.any(Number) },
    redisMemory: { maxBytes: 0 },
    waitingMarkCount: expect.any(Number),
  });
  expect(answer.redisMemory.usedBytes).toBeGreaterThan(100_000);
  expect(answer.leaseSecondsLeft).toBeGreaterThan(0);
  expect(answer.parts).toEqual(
    ['postgres', 'redis', 'nodeLease'].map((name) => ({ name, isUp: true, awaySeconds: 0 })),
  );
});

test('metrics include the unpublished events and the minted IDs', async () => {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  expect(metrics).toMatch(/^solegate_trips_outbox_waiting \d+$/m);
  expect(metrics).toMatch(/^solegate_trips_outbox_oldest_seconds \d/m);
  expect(metrics).toMatch(/^solegate_tsid_minted_total [1-9]/m);
});

test('is visible only to administrators', async () => {
  for (const as of ['clerk-1', 'auditor-1', 'driver-1']) {
    const { errors } = await gateway.ask('{ overview { node } }', { as });
    expect(errors[0]?.extensions.reason).toBe('ROLE_MISSING');
  }
});
