import { randomUUID } from 'node:crypto';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@solegate/client';
import { freePort, serverAccount, temporaryPlace } from '@solegate/local-services';
import { type RedisTestServer, startRedisServer } from '@solegate/testkit';
import pg from 'pg';
import { findPostgresTools } from '../src/failover/postgres-tools.js';
import { endWithUs } from '../src/failover/processes.js';
import { OperationsPage } from '../src/system/operations-page.js';
import { BalancedGateways } from './balanced-gateways.js';
import { Shell } from './shell.js';

/*
 * What docs/scaling.md says, done: a second cell is added to a gateway that has one PostgreSQL, and moved to a third cluster
 * while callers ask both cells for numbers, through two gateways that are replaced one after the other.
 */

const CLUSTERS = ['FIRST', 'FROM', 'TO'] as const;
const CALLERS_A_CELL = 4;
const ROWS_BEFORE = 20_000;
const DISCIPLINES = ['STR', 'ARC'];

let page: OperationsPage;
let shell: Shell;
let directory: string;
let redis: RedisTestServer;
let gateways: BalancedGateways;
/** Address of each cluster. */
const urls = new Map<string, string>();
const place = { databaseUrl: '', redisUrl: '', command: ['serve'] };

/** The owner of the tables follows the page; gateways have the role of gateways. */
const urlOf = (
  cluster: (typeof CLUSTERS)[number],
  role: 'solegate_owner' | 'solegate_runtime' = 'solegate_runtime',
): string => `postgres://${role}@${urls.get(cluster)}/solegate`;

function list(south: string): string {
  return JSON.stringify({
    cells: [
      { name: 'main', url: urlOf('FIRST'), nodes: [256, 1023] },
      { name: 'south', url: south, nodes: [0, 255] },
    ],
    projects: { HARBOUR: 'south' },
    regions: { cnx: 'south', bkk: 'main' },
  });
}

const as = (user: string): Client => gateways.as(user);

interface Answered {
  readonly number: string;
  readonly askedAtMs: number;
  readonly atMs: number;
}

/** Takes numbers of a project until it is stopped. Nobody's call fails: a refused one is repeated by its client. */
async function call(client: Client, projectCode: string, signal: AbortSignal): Promise<Answered[]> {
  const answered: Answered[] = [];
  while (!signal.aborted) {
    const disciplineCode = DISCIPLINES[answered.length % DISCIPLINES.length] ?? '';
    const input = { projectCode, organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode };
    const askedAtMs = performance.now();
    const issued = await client.issueDocumentNumber({ input }, { idempotencyKey: randomUUID() });
    if (issued.__typename !== 'DocumentNumber') throw new Error(issued.__typename);
    answered.push({ number: issued.number, askedAtMs, atMs: performance.now() });
  }
  return answered;
}

/**
 * Requests, reads and cancels trips of the cell that moves until it is stopped, each step at the next gateway. Each is found
 * wherever it is read, also by a gateway that still reads the source. Returns the number of trips.
 */
async function ride(client: Client, signal: AbortSignal): Promise<number> {
  for (let tripCount = 0; ; tripCount += 1) {
    const { id } = await client.requestTrip({ input: { region: 'cnx', offerTtlMs: 600_000 } });
    for (const _gateway of [0, 1, 2]) expect((await client.trip({ id }))?.status).toBe('FINDING');
    await client.cancelTrip({ input: { tripId: id } });
    if (signal.aborted) return tripCount + 1;
  }
}

async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  page = await OperationsPage.read('../scaling.md');
  const tools = await findPostgresTools();
  const { switchTo } = await serverAccount();
  directory = await mkdtemp(join(await temporaryPlace(), 'solegate-move-'));
  endWithUs(directory);
  if (switchTo) await chown(directory, switchTo.uid, switchTo.gid);
  const roles = await OperationsPage.read('roles.md');
  const ports = await Promise.all(CLUSTERS.map(() => freePort()));
  for (const [index, cluster] of CLUSTERS.entries()) {
    urls.set(cluster, `127.0.0.1:${ports[index]}`);
  }
  shell = new Shell(switchTo ?? {}, {
    PATH: `${tools.directory}:${process.env.PATH}`,
    ...tools.env,
    ...Object.fromEntries(CLUSTERS.map((cluster) => [`${cluster}_URL`, urlOf(cluster, 'solegate_owner')])),
    NEW_URL: urlOf('FROM', 'solegate_owner'),
    DUMP: join(directory, 'cell.dump'),
    GATEWAY: createRequire(import.meta.url).resolve('@solegate/gateway/dist/main.js'),
  });
  for (const [index, cluster] of CLUSTERS.entries()) {
    const data = join(directory, cluster);
    await shell.run(`
      initdb -D "${data}" --no-sync -U administrator --auth=trust --encoding=UTF8 --locale=C >/dev/null
      printf '%s\\n' "port = ${ports[index]}" "listen_addresses = '127.0.0.1'" "unix_socket_directories = ''" >> "${data}/postgresql.conf"
      pg_ctl start -D "${data}" -l "${data}/server.log"
      psql --quiet --set ON_ERROR_STOP=1 "postgres://administrator@${urls.get(cluster)}/postgres" <<'END'
${roles.command('create the roles')}
END`);
  }
  await shell.run(`DATABASE_URL="$FIRST_URL" node "$GATEWAY" migrate --runtime-role solegate_runtime`);
  redis = await startRedisServer();
  Object.assign(place, { databaseUrl: urlOf('FIRST'), redisUrl: redis.url });
  gateways = await BalancedGateways.start(2, { ...place });
});

afterAll(async () => {
  await gateways?.[Symbol.asyncDispose]();
  await redis?.stop();
  await shell?.run(`for data in "${directory}"/*/; do pg_ctl stop -D "$data" -m immediate || true; done`);
  await rm(directory, { recursive: true, force: true });
});

test('a cell that was added is moved under load: no hole, nothing twice, and the other one notices nothing', async () => {
  await shell.run(page.command('master data'));
  place.databaseUrl = list(urlOf('FROM'));
  await gateways.replace({ ...place });
  const admin = as('admin-1');
  await admin.createProject({ input: { code: 'HARBOUR', name: 'Harbour' } });
  const template = '{PROJECT}-{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:6}';
  await admin.saveDocumentNumberFormat({ input: { projectCode: 'HARBOUR', typeCode: 'RFA', template } });
  const input = {
    projectCode: 'HARBOUR',
    organizationCode: 'TEAM',
    typeCode: 'RFA',
    disciplineCode: 'STR',
    count: 1000,
  };
  for (let drawn = 0; drawn < ROWS_BEFORE; drawn += input.count) {
    await admin.issueDocumentNumbers({ input }, { idempotencyKey: randomUUID() });
  }
  const trip = await as('rider-1').requestTrip({ input: { region: 'cnx', offerTtlMs: 600_000 } });

  const ending = new AbortController();
  const callers = Array.from({ length: CALLERS_A_CELL }, (_, index) => as(`clerk-${index + 1}`));
  const south = Promise.all(callers.map((client) => call(client, 'HARBOUR', ending.signal)));
  const north = Promise.all(callers.map((client) => call(client, 'DEMO', ending.signal)));
  const rides = Promise.all([1, 2, 3].map((index) => ride(as(`rider-${index}`), ending.signal)));
  const working = Promise.all([south, north, rides]);
  await Promise.race([working, new Promise((resolve) => setTimeout(resolve, 1500))]);

  // Given up once, which changes nothing; then done.
  await shell.run(page.command('fence'));
  await shell.run(page.command('give up'));
  const fencingAtMs = performance.now();
  await shell.run(page.command('fence'));
  const fencedAtMs = performance.now();
  await shell.run(page.command('copy'));
  const copiedAtMs = performance.now();
  const [before, after] = (await shell.run(page.command('compare'))).split('\n');
  expect(after).toBe(before);
  const unfenced = `SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgname = 'solegate_fence')`;
  for (const cluster of ['FROM', 'TO'] as const) {
    expect(await query(urlOf(cluster), unfenced)).toEqual([]);
    const change = query(urlOf(cluster, 'solegate_owner'), 'UPDATE projects SET code = code');
    await expect(change).rejects.toMatchObject({ code: '25006' });
  }
  await shell.run(page.command('open'));
  place.databaseUrl = list(urlOf('TO'));
  await Promise.race([working, gateways.replace({ ...place })]);
  await Promise.race([working, new Promise((resolve) => setTimeout(resolve, 1500))]);
  ending.abort();
  const tripCount = (await rides).reduce((sum, count) => sum + count);
  const moved = (await south).flat();
  const stayed = (await north).flat();

  // Each answered number once, and all of a counter from the first to the last.
  for (const [cluster, answered] of [
    ['TO', moved],
    ['FIRST', stayed],
  ] as const) {
    const numbers = answered.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    const ledger = await query<{ number: string }>(urlOf(cluster), 'SELECT number FROM document_numbers');
    const stored = new Set(ledger.map(({ number }) => number));
    expect(numbers.filter((number) => !stored.has(number))).toEqual([]);
    const holes = `SELECT c.id FROM document_number_counters c JOIN document_numbers n ON n.counter_id = c.id
      GROUP BY c.id HAVING count(*) <> max(c.last_number) OR max(n.sequence) <> max(c.last_number)`;
    expect(await query(urlOf(cluster), holes)).toEqual([]);
  }
  const [source] = await query<{ count: number }>(
    urlOf('FROM'),
    'SELECT count(*)::int AS count FROM document_numbers',
  );
  expect(Number(before?.split('|')[0])).toBe(source?.count);

  const offer = { tripId: trip.id, offerEpoch: trip.offerEpoch };
  expect((await as('driver-1').acceptTrip({ input: offer })).__typename).toBe('TripAccepted');

  const wordsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const longest = (answered: readonly Answered[]): number =>
    Math.max(...answered.map(({ askedAtMs, atMs }) => atMs - askedAtMs));
  const firstAfter = Math.min(...moved.filter(({ atMs }) => atMs > copiedAtMs).map(({ atMs }) => atMs));
  process.stdout.write(
    `moved ${after} (numbers|…) in ${wordsOf(copiedAtMs - fencedAtMs)}; fence to first number of the target ` +
      `${wordsOf(firstAfter - fencingAtMs)}; longest call of the moved cell ${wordsOf(longest(moved))}, of the other ` +
      `${wordsOf(longest(stayed))}; answered ${moved.length} and ${stayed.length}, trips ${tripCount}, failed 0\n`,
  );
  expect(page.unfollowed).toEqual([]);
});
