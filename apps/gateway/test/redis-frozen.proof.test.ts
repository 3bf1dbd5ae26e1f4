import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type RedisTestServer,
  startRedisServer,
  type TestDatabase,
} from '@solegate/testkit';
import { startTestGateway, type TestGateway } from './gateway-fixture.js';

/** Redis keeps its connections open but does not respond. Calls do not wait for it. */
const ROUND_COUNT = 10;

let database: TestDatabase;
let redis: RedisTestServer;
let gateway: TestGateway;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  gateway = await startTestGateway(
    { databaseUrl: database.url, redisUrl: redis.url },
    { RATE_LIMIT_PER_SECOND: '100000' },
  );
});

afterAll(async () => {
  await gateway?.stop();
  await redis?.stop();
  await database?.drop();
});

const SERIES = 'projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';

async function subscribeBySse(): Promise<void> {
  const over = new AbortController();
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    signal: over.signal,
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { tripOffered { id } }' }),
  });
  await response.body?.cancel();
  over.abort();
}

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  'mint IDs': () => gateway.ask('mutation { generateTsids(count: 3) { ... on TsidsGenerated { ids } } }'),
  'issue a number': () =>
    gateway.ask(`mutation { issueDocumentNumber(input: { ${SERIES} }) { __typename } }`),
  'reserve a number': () =>
    gateway.ask(`mutation { reserveDocumentNumber(input: { ${SERIES} }) { __typename } }`),
  'read the ledger': () => gateway.ask('{ documentNumbers(first: 5) { edges { node { number } } } }'),
  'request a trip and accept it': async () => {
    const { data } = await gateway.ask('mutation { requestTrip(input: {}) { ... on Trip { id } } }', {
      as: 'rider-1',
    });
    const driver = `driver-${1 + Math.floor(Math.random() * 1e6)}`;
    await gateway.ask(
      `mutation { acceptTrip(input: { tripId: "${data.requestTrip.id}", offerEpoch: 1 }) { __typename } }`,
      { as: driver },
    );
  },
  subscribe: subscribeBySse,
};

test('what only Redis knows is unavailable, not unknown: a read changes nothing', async () => {
  redis.pause();
  try {
    const { errors } = await gateway.ask('{ nodeFleet { nodes { node } } }');
    expect(errors[0]?.extensions).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  } finally {
    redis.resume();
  }
});

test('every call is answered while Redis is frozen', async () => {
  for (const call of Object.values(CALLS)) await call();
  redis.pause();
  try {
    for (let round = 0; round < ROUND_COUNT; round += 1) {
      for (const call of Object.values(CALLS)) await call();
    }
  } finally {
    redis.resume();
  }
});

test('reconciliation reports what it could not compare', async () => {
  await gateway.ask(`mutation { issueDocumentNumber(input: { ${SERIES} }) { __typename } }`);
  redis.pause();
  try {
    const { data, errors } = await gateway.ask(
      'mutation { reconcileDocumentNumbers(input: { projectCode: "DEMO" }) { ... on DocumentNumbersReconciled { findings { kind count } } } }',
    );
    expect(errors).toEqual([]);
    expect(data.reconcileDocumentNumbers.findings).toEqual([{ kind: 'MARKS_UNREAD', count: 1 }]);
  } finally {
    redis.resume();
  }
});
