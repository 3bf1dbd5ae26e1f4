import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@solegate/client';
import {
  type PostgresTestServer,
  type RedisTestServer,
  runGateway,
  startPostgresServer,
  startRedisServer,
  until,
} from '@solegate/testkit';
import { CHANGED_CODE, type CodeChange, type GatewayPlace } from '../src/system/gateway-process.js';
import { BalancedGateways } from './balanced-gateways.js';

/*
 * A rolling upgrade to a version that does not exist, and back: one more migration in each package, one more field in the API.
 * The job migrates beside a report that reads every table, gateways are replaced one by one, and callers of all three promises
 * go on meanwhile. Nobody's call fails: what is refused is repeated by its client. Two readers follow the numbers and the trips
 * from the first one on: each fact once and in order.
 */

/** One more column, in a version at the end of a package's list, which is complete before the text. */
const column = (table: string, list: string, place: Omit<CodeChange, 'becomes'>): CodeChange => ({
  ...place,
  becomes: `${list}.push({ name: '9999-next', sql: 'ALTER TABLE ${table} ADD COLUMN next_release text' });
${place.text}`,
});

/** What the next version has more. */
const NEXT_VERSION: readonly CodeChange[] = [
  column('trips', 'migrations', {
    module: 'trip-reservation/dist/sql/migrations.js',
    text: 'export function migrateTrips(',
  }),
  column('document_numbers', 'migrations', {
    module: 'doc-numbering/dist/sql/migrations.js',
    text: 'export async function migrateNumbering(',
  }),
  column('tsid_nodes', 'nodeLeaseMigrations', {
    module: 'tsid-core/dist/node-lease/postgres/migrations.js',
    text: 'export function migrateNodeLeases(',
  }),
  {
    module: 'gateway/dist/assembly/schema.js',
    text: '  complete(schema);',
    becomes: `  complete(schema);
    schema.getType('Trip').getFields().nextRelease = {
      name: 'nextRelease', type: schema.getType('String'), args: [], extensions: {}, resolve: () => 'next',
    };`,
  },
];

const SERIES = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };
const ROLE = 'solegate_runtime';
/** How long callers go on after each replacement, in milliseconds. */
const GOING_ON_MS = 3_000;
const REPORT_SECONDS = 5;

let postgres: PostgresTestServer;
let redis: RedisTestServer;
let gateways: BalancedGateways;
let place: GatewayPlace;

/** What callers were answered. */
const answered = { numbers: [] as string[], ids: [] as string[], tripCount: 0, longestMs: 0 };

async function timed<Result>(call: Promise<Result>): Promise<Result> {
  const askedAtMs = performance.now();
  const result = await call;
  answered.longestMs = Math.max(answered.longestMs, performance.now() - askedAtMs);
  return result;
}

async function takeNumber(client: Client): Promise<void> {
  const issued = await timed(client.issueDocumentNumber({ input: SERIES }, { idempotencyKey: randomUUID() }));
  if (issued.__typename !== 'DocumentNumber') throw new Error(issued.__typename);
  answered.numbers.push(issued.number);
}

async function mintIds(client: Client): Promise<void> {
  const { ids } = await timed(client.generateTsids({ count: 100 }));
  answered.ids.push(...ids);
}

/** Three drivers race for a trip: one has it, is the one that the trip names, and gives it back by ending it. */
async function ride(rider: Client, drivers: readonly Client[]): Promise<void> {
  const { id, offerEpoch } = await timed(rider.requestTrip({ input: { offerTtlMs: 600_000 } }));
  const accept = async (driver: Client): Promise<string> => {
    for (;;) {
      const answer = await timed(driver.acceptTrip({ input: { tripId: id, offerEpoch } }));
      if (answer.__typename !== 'TripUndecided') return answer.__typename;
    }
  };
  const kinds = await Promise.all(drivers.map(accept));
  expect(kinds.filter((kind) => kind === 'TripAccepted')).toHaveLength(1);
  answered.tripCount += 1;
  const winner = drivers[kinds.indexOf('TripAccepted')] as Client;
  await timed(winner.startTrip({ input: { tripId: id } }));
  await timed(winner.completeTrip({ input: { tripId: id } }));
}

/** Repeats a task until it is stopped. */
async function repeat(task: () => Promise<void>, signal: AbortSignal): Promise<void> {
  do await task();
  while (!signal.aborted);
}

/** A fact that a reader got: its name, the counter or trip that it belongs to, and its position there. */
interface Told {
  readonly name: string;
  readonly of: string;
  readonly place: number;
}

async function followNumbers(client: Client, told: Told[], signal: AbortSignal): Promise<void> {
  const followed = { projectCode: SERIES.projectCode, typeCode: SERIES.typeCode };
  for await (const { facts } of client.documentNumberFacts(followed, { signal })) {
    for (const { kind, number } of facts) {
      told.push({
        name: `${kind} ${number.number}`,
        of: number.disciplineCode ?? '',
        place: number.sequence,
      });
    }
  }
}

async function followTrips(client: Client, told: Told[], signal: AbortSignal): Promise<void> {
  for await (const { events } of client.tripEvents({}, { signal })) {
    told.push(...events.map(({ id, tripId, revision }) => ({ name: id, of: tripId, place: revision })));
  }
}

/** Each fact once, and those of a counter or a trip as 1, 2, 3 … */
function expectOnceAndInOrder(told: readonly Told[], wanted: readonly string[]): void {
  expect(told.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted());
  const last = new Map<string, number>();
  for (const { name, of, place } of told) {
    expect(`${name} at ${place}`).toBe(`${name} at ${(last.get(of) ?? 0) + 1}`);
    last.set(of, place);
  }
}

/** The first column of a query. */
const readColumn = async (text: string): Promise<string[]> => {
  const { rows } = await postgres.pool.query({ text, rowMode: 'array' });
  return (rows as unknown as string[][]).map(([value = '']) => value);
};

const fieldOf = (url: string, id: string): Promise<unknown> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-demo-user': 'rider-1' },
    body: JSON.stringify({ query: `{ trip(id: "${id}") { nextRelease } }` }),
  }).then((response) => response.json());

const migrateTo = (codeChanges: readonly CodeChange[]) =>
  runGateway({
    environment: { DATABASE_URL: postgres.url, NEMESIS_CODE_CHANGE: JSON.stringify(codeChanges) },
    nodeFlags: codeChanges.length > 0 ? ['--import', CHANGED_CODE] : [],
    command: ['migrate', '--runtime-role', ROLE],
  });

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
  await postgres.pool.query(`CREATE ROLE ${ROLE} LOGIN`);
  await migrateTo([]);
  const databaseUrl = new URL(postgres.url);
  databaseUrl.username = ROLE;
  place = { databaseUrl: databaseUrl.href, redisUrl: redis.url, nodeStore: 'postgres', command: ['serve'] };
  gateways = await BalancedGateways.start(2, place);
});

afterAll(async () => {
  await gateways?.[Symbol.asyncDispose]();
  await redis?.stop();
  await postgres?.stop();
});

test('an upgrade to the next version, and the way back, under load: no call fails, no hole, nothing twice', async () => {
  const ending = new AbortController();
  const { signal } = ending;
  const as = (user: string): Client => gateways.as(user);
  const clerks = ['clerk-1', 'clerk-2', 'clerk-3'].map(as);
  const minter = as('clerk-4');
  const leaving = new AbortController();
  const told = { numbers: [] as Told[], trips: [] as Told[] };
  const following = Promise.all([
    followNumbers(as('clerk-5'), told.numbers, leaving.signal),
    followTrips(as('admin-1'), told.trips, leaving.signal),
  ]);
  const working = Promise.all([
    ...clerks.map((clerk) => repeat(() => takeNumber(clerk), signal)),
    ...[1, 2].map((index) => {
      const rider = as(`rider-${index}`);
      const drivers = [1, 2, 3].map((driver) => as(`driver-${index * 10 + driver}`));
      return repeat(() => ride(rider, drivers), signal);
    }),
    repeat(() => mintIds(minter), signal),
  ]);
  /** They end only when they are stopped, or fail. */
  const reading = following.then(() => new Promise<never>(() => {}));
  /** Goes on until the work is done, or a caller fails. */
  const beside = (work: Promise<unknown>) => Promise.race([working, reading, work]);
  const goingOn = () => beside(new Promise((resolve) => setTimeout(resolve, GOING_ON_MS)));
  const { id } = await as('rider-1').requestTrip({ input: { offerTtlMs: 600_000 } });

  await goingOn();
  const report = postgres.pool.query(
    `SELECT count(*), pg_sleep(${REPORT_SECONDS}) FROM (SELECT FROM trips LIMIT 1) t, (SELECT FROM document_numbers LIMIT 1) n`,
  );
  await beside(Promise.all([report, migrateTo(NEXT_VERSION)]));
  const { rows } = await postgres.pool.query(
    `SELECT table_name FROM information_schema.columns WHERE column_name = 'next_release' ORDER BY table_name`,
  );
  expect(rows.map(({ table_name }) => table_name)).toEqual(['document_numbers', 'trips', 'tsid_nodes']);
  await goingOn();
  await beside(gateways.replace({ ...place, codeChanges: NEXT_VERSION }));
  for (const { url } of gateways.all) {
    expect(await fieldOf(url, id)).toEqual({ data: { trip: { nextRelease: 'next' } } });
  }
  await goingOn();

  // Back: clients first, which is why none asks for the field any more.
  await beside(gateways.replace(place));
  for (const { url } of gateways.all) expect(await fieldOf(url, id)).toHaveProperty('errors');
  await goingOn();
  ending.abort();
  await working;

  const { numbers, ids, tripCount, longestMs } = answered;
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(new Set(ids).size).toBe(ids.length);
  const counters = await postgres.pool.query(
    `SELECT c.last_number::int AS last, count(n.*)::int AS count FROM document_number_counters c
     LEFT JOIN document_numbers n ON n.counter_id = c.id GROUP BY c.id`,
  );
  for (const { last, count } of counters.rows) expect(count).toBe(last);
  const stored = await readColumn('SELECT number FROM document_numbers');
  const ledger = new Set(stored);
  expect(numbers.filter((number) => !ledger.has(number))).toEqual([]);

  const issued = stored.map((number) => `ISSUED ${number}`);
  const events = await readColumn(`SELECT trip_id || '-' || revision FROM trip_outbox`);
  const isTold = () => told.numbers.length >= issued.length && told.trips.length >= events.length;
  await until(isTold, { timeoutMs: 30_000 }).catch(() => undefined);
  leaving.abort();
  await following.catch(() => undefined);
  expectOnceAndInOrder(told.numbers, issued);
  expectOnceAndInOrder(told.trips, events);
  process.stdout.write(
    `forward and back: ${numbers.length} numbers, ${tripCount} trips, ${ids.length} IDs, 0 errors; ` +
      `${told.numbers.length} facts and ${told.trips.length} events, each once; ` +
      `longest call ${Math.round(longestMs)} ms\n`,
  );
});
