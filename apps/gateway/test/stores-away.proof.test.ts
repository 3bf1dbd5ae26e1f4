import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type PostgresTestServer,
  type RedisTestServer,
  startPostgresServer,
  startRedisServer,
  until,
} from '@solegate/testkit';
import { startTestGateway, type TestGateway } from './gateway-fixture.js';

/** A store goes down and comes back: what is reported follows without intervention, and the guarantees hold throughout. */
let postgres: PostgresTestServer;
let redis: RedisTestServer;
let gateway: TestGateway;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
  const stores = { databaseUrl: postgres.url, redisUrl: redis.url };
  // With the lock for every batch, a number's guard shows whether Redis was used.
  gateway = await startTestGateway(stores, { NUMBER_LOCK: 'always', RATE_LIMIT_PER_SECOND: '100000' });
});

afterAll(async () => {
  await gateway?.stop();
  await Promise.all([postgres?.stop(), redis?.stop()]);
});

interface Readiness {
  readonly status: number;
  readonly reasons: Record<string, string>;
  readonly away: Record<string, string>;
}

async function readiness(): Promise<Readiness> {
  const response = await fetch(`${gateway.url}/health/ready`);
  const { reasons = {}, away = {} } = (await response.json()) as Partial<Readiness>;
  return { status: response.status, reasons, away };
}

const turns = (status: number): Promise<Readiness> =>
  until(
    async () => {
      const read = await readiness();
      if (read.status !== status) throw new Error(`It is ${read.status}`);
      return read;
    },
    { what: `Readiness ${status}` },
  );

/** Waits until Redis is reported as away, or not; readiness is green all the time. */
async function untilRedis(isAway: boolean): Promise<void> {
  const statuses = new Set<number>();
  await until(
    async () => {
      const { status, away } = await readiness();
      statuses.add(status);
      return 'redis' in away === isAway;
    },
    { what: `Redis ${isAway ? 'away' : 'back'}` },
  );
  expect([...statuses]).toEqual([200]);
}

const ISSUE = `mutation { issueDocumentNumber(input: {
  projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"
}) { ... on DocumentNumber { sequence guard } } }`;
const TRIP = 'mutation { requestTrip(input: {}) { ... on Trip { id offerEpoch } } }';
const accept = ({ id, offerEpoch }: { id: string; offerEpoch: number }): string =>
  `mutation { acceptTrip(input: { tripId: "${id}", offerEpoch: ${offerEpoch} }) { __typename } }`;

/** Number of accepts that used the Redis gate, and of those that went on without it. */
async function acceptsByGate(): Promise<Record<'HELD' | 'SKIPPED', number>> {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  const count = (gate: string): number =>
    Number(
      new RegExp(`^solegate_trips_accept_seconds_count\\{gate="${gate}"\\} (\\d+)$`, 'm').exec(
        metrics,
      )?.[1] ?? 0,
    );
  return { HELD: count('HELD'), SKIPPED: count('SKIPPED') };
}

async function acceptTrip(): Promise<void> {
  const trip = (await gateway.ask(TRIP, { as: 'rider-1' })).data.requestTrip;
  driverCount += 2;
  const accepted = await gateway.ask(accept(trip), { as: `driver-${driverCount}` });
  expect(accepted.data.acceptTrip.__typename).toBe('TripAccepted');
  const refused = await gateway.ask(accept(trip), { as: `driver-${driverCount - 1}` });
  expect(refused.data.acceptTrip.__typename).toBe('TripTaken');
}
let driverCount = 0;

/** Accepts trips until the gate of Redis has held for so many. */
async function untilHeld(count: number): Promise<void> {
  await until(async () => {
    await acceptTrip();
    return (await acceptsByGate()).HELD >= count;
  });
}

describe('Redis goes down and comes back', () => {
  test('readiness stays green, and nothing that needs only PostgreSQL fails', async () => {
    const draw = async () => (await gateway.ask(ISSUE)).data.issueDocumentNumber;
    // On a busy machine, Redis can get too little time, here and below.
    const before = await until(async () => {
      const drawn = await draw();
      return drawn.guard === 'REDIS_AND_VERSION' && drawn;
    });
    await untilHeld(1);
    const { HELD, SKIPPED } = await acceptsByGate();
    await redis.kill();
    await untilRedis(true);

    const issued = await gateway.ask(ISSUE);
    expect(issued.errors).toEqual([]);
    expect(issued.data.issueDocumentNumber).toEqual({ sequence: before.sequence + 1, guard: 'ROW' });
    await acceptTrip();
    expect(await acceptsByGate()).toMatchObject({ HELD });
    expect((await acceptsByGate()).SKIPPED).toBeGreaterThan(SKIPPED);
    const ids = await gateway.ask('mutation { generateTsids(count: 2) { ... on TsidsGenerated { ids } } }');
    expect(ids.data.generateTsids.ids).toHaveLength(2);
    // Rates are settled with Redis a while after they are counted.
    await until(async () => {
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      expect(metrics).toContain('solegate_gateway_redis_connected{purpose="decision"} 0');
      expect(metrics).toContain('solegate_gateway_rate_limit_shared 0');
      return true;
    });

    await redis.restart({ keepData: true });
    await untilRedis(false);
    // The circuit breaker stays open for a while longer.
    await untilHeld(HELD + 1);
    await until(
      async () => (await gateway.ask(ISSUE)).data.issueDocumentNumber.guard === 'REDIS_AND_VERSION',
    );
  });

  test('data stored only in Redis is reported as unavailable', async () => {
    await redis.kill();
    const { errors } = await gateway.ask('{ nodeFleet { nodeCount } }');
    expect(errors[0]?.extensions).toMatchObject({ reason: 'REDIS_UNAVAILABLE', retryable: true });
    await redis.restart({ keepData: true });
    await untilRedis(false);
  });
});

describe('PostgreSQL goes down and comes back', () => {
  test('readiness turns red and green again; errors are typed and nothing is changed', async () => {
    const before = (await gateway.ask(ISSUE)).data.issueDocumentNumber.sequence;
    await postgres.kill();
    expect((await turns(503)).reasons).toEqual({ postgres: 'PostgreSQL does not answer' });
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);

    for (const query of [TRIP, '{ correspondences { edges { cursor } } }']) {
      const { status, errors } = await gateway.ask(query);
      expect(errors[0]?.extensions).toMatchObject({ retryable: true });
      expect(errors[0]?.extensions.code).toMatch(/^(SERVICE_UNAVAILABLE|OUTCOME_UNKNOWN)$/);
      expect([503, 504]).toContain(status);
    }
    const ids = await gateway.ask('mutation { generateTsids(count: 2) { ... on TsidsGenerated { ids } } }');
    expect(ids.errors).toEqual([]);

    await postgres.restart();
    await turns(200);
    const after = await gateway.ask(ISSUE);
    expect(after.data.issueDocumentNumber.sequence).toBe(before + 1);
  });
});
