import { randomUUID } from 'node:crypto';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, createClient } from '@solegate/client';
import { freePort, serverAccount, temporaryPlace } from '@solegate/local-services';
import { type RedisSnapshot, type RedisTestServer, startRedisServer, until } from '@solegate/testkit';
import { findPostgresTools } from '../src/failover/postgres-tools.js';
import { endWithUs } from '../src/failover/processes.js';
import { GatewayProcess } from '../src/system/gateway-process.js';
import { OperationsPage } from '../src/system/operations-page.js';
import { Shell } from './shell.js';

/*
 * What docs/operations/restore.md says, done. One history: numbers, trips and IDs before and after a moment; then PostgreSQL is
 * restored to that moment, once beside the Redis that saw it all, and once beside a Redis from before.
 */

/** A series that goes on after the moment, one that begins after it, and one that nobody speaks for. */
const RFA = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };
const MEMO = { ...RFA, typeCode: 'MEMO' };
const RFI = { ...RFA, typeCode: 'RFI' };
/** A series that is entered after the moment. */
const NCR = { ...RFA, typeCode: 'NCR' };

let page: OperationsPage;
let shell: Shell;
let directory: string;
let redis: RedisTestServer;
let gateway: GatewayProcess;
let databaseUrl: string;
let olderRedis: RedisSnapshot;
/** Of the lost numbers, as the list says it. */
let businessDate = '';
const clients: Client[] = [];

const as = (user: string): Client => {
  const client = createClient({ url: gateway.url, headers: { 'x-demo-user': user }, retry: { maxMs: 500 } });
  clients.push(client);
  return client;
};

async function issue(series: typeof RFA, idempotencyKey: string = randomUUID()): Promise<string> {
  const issued = await as('clerk-1').issueDocumentNumber({ input: series }, { idempotencyKey });
  return issued.__typename === 'DocumentNumber' ? issued.number : issued.__typename;
}

async function enterSeries({ projectCode, typeCode }: typeof RFA): Promise<void> {
  const admin = as('admin-1');
  await admin.createCorrespondenceType({ input: { code: typeCode, name: typeCode } });
  const template = '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}';
  await admin.saveDocumentNumberFormat({ input: { projectCode, typeCode, template } });
}

/** A lost number, as an import names it. */
function rowOf({ organizationCode, typeCode, disciplineCode }: typeof RFA, sequence: number): object {
  return {
    organizationCode,
    typeCode,
    disciplineCode,
    sequence,
    date: businessDate,
  };
}

/** Runs an operation that the page shows, as an administrator. */
async function runFromPage(title: string, variables: object = {}): Promise<unknown> {
  const answer = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-demo-user': 'admin-1' },
    body: JSON.stringify({ query: page.command(title), variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Record<string, unknown>; errors?: unknown };
  expect(errors).toBeUndefined();
  return Object.values(data)[0];
}

const regressions = async (): Promise<unknown[]> => {
  const { findings } = (await runFromPage('reconcile')) as { findings: { kind: string }[] };
  return findings.filter(({ kind }) => kind === 'REGRESSION');
};

const startGateway = async (): Promise<void> => {
  gateway = await GatewayProcess.start({ databaseUrl, redisUrl: redis.url, command: ['serve'] });
};

/** The steps of "Restore to a point in time", and those before any gateway starts. */
async function restore(): Promise<void> {
  await gateway.end('SIGTERM');
  await shell.run(page.command('set aside'));
  await shell.run(page.command('restore to a moment'));
  await shell.run(page.command('new epochs'));
}

beforeAll(async () => {
  page = await OperationsPage.read('restore.md');
  const tools = await findPostgresTools();
  const { switchTo } = await serverAccount();
  directory = await mkdtemp(join(await temporaryPlace(), 'solegate-restore-'));
  endWithUs(directory);
  const [port, lostPort] = [await freePort(), await freePort()];
  const url = (role: string, database: string, onPort = port) =>
    `postgres://${role}@127.0.0.1:${onPort}/${database}`;
  databaseUrl = url('solegate_runtime', 'solegate');
  const place = { DATA: 'data', ARCHIVE: 'archive', BACKUPS: 'backups' };
  shell = new Shell(switchTo ?? {}, {
    PATH: `${tools.directory}:${process.env.PATH}`,
    ...tools.env,
    ADMIN_URL: url('administrator', 'postgres'),
    BACKUP_URL: url('solegate_backup', 'postgres'),
    OWNER_URL: url('solegate_owner', 'solegate'),
    LOST_PORT: String(lostPort),
    LOST_URL: url('solegate_owner', 'solegate', lostPort),
    GATEWAY: createRequire(import.meta.url).resolve('@solegate/gateway/dist/main.js'),
    ...Object.fromEntries(Object.entries(place).map(([name, folder]) => [name, join(directory, folder)])),
  });
  for (const folder of ['archive', 'backups']) await mkdir(join(directory, folder));
  if (switchTo) {
    for (const folder of ['.', 'archive', 'backups']) {
      await chown(join(directory, folder), switchTo.uid, switchTo.gid);
    }
  }
  await shell.run(`
    initdb -D "$DATA" --no-sync -U administrator --auth=trust --encoding=UTF8 --locale=C >/dev/null
    printf '%s\\n' "port = ${port}" "listen_addresses = '127.0.0.1'" "unix_socket_directories = ''" >> "$DATA/postgresql.conf"
    pg_ctl start -D "$DATA" -l "$DATA/server.log"`);
  const roles = await OperationsPage.read('roles.md');
  await shell.run(`psql --quiet --set ON_ERROR_STOP=1 "$ADMIN_URL" <<'END'
${roles.command('create the roles')}
END
DATABASE_URL="$OWNER_URL" node "$GATEWAY" migrate --runtime-role solegate_runtime`);
  await shell.run(page.command('keep the log'));
  redis = await startRedisServer({ persistence: 'aof' });
  await startGateway();
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await gateway?.[Symbol.asyncDispose]();
  await redis?.stop();
  await shell?.run('for data in "$DATA" "$DATA".lost*; do pg_ctl stop -D "$data" -m immediate || true; done');
  await rm(directory, { recursive: true, force: true });
});

test('a restore issues nothing twice once a person has said what was lost', async () => {
  // Before the moment. The base backup is from yesterday.
  Object.assign(shell.env, { BACKUP: `${shell.env.BACKUPS}/${(await shell.run('date +%F')).trim()}` });
  await shell.run(page.command('base backup'));
  const numbers = [await issue(RFA, 'first'), await issue(RFA), await issue(RFI)];
  const rider = as('rider-1');
  const kept = await rider.requestTrip({ input: { offerTtlMs: 600_000 } });
  const ids = [...(await as('clerk-1').generateTsids({ count: 100 })).ids];
  olderRedis = await redis.takeSnapshot();
  numbers.push(await issue(RFA));
  const moment = 'SELECT clock_timestamp()';
  Object.assign(shell.env, { MOMENT: await shell.run(`psql "$OWNER_URL" -Atc '${moment}'`) });

  // After it: the mistake, and what users did meanwhile.
  const lost = [await issue(RFA, 'lost'), await issue(RFA), await issue(MEMO), await issue(RFI)];
  const offer = { tripId: kept.id, offerEpoch: kept.offerEpoch };
  expect((await as('driver-1').acceptTrip({ input: offer })).__typename).toBe('TripAccepted');
  const unknown = await rider.requestTrip({ input: {} });
  await enterSeries(NCR);
  const unremembered = await issue(NCR);
  ids.push(...(await as('clerk-1').generateTsids({ count: 100 })).ids);

  await restore();
  await startGateway();

  // IDs, and numbers from before, are as they were.
  ids.push(...(await as('clerk-1').generateTsids({ count: 100 })).ids);
  expect(new Set(ids).size).toBe(300);
  expect(await issue(RFA, 'first')).toBe(numbers[0]);

  // What Redis remembers is refused, also of a counter that PostgreSQL never had.
  expect(await regressions()).toHaveLength(2);
  for (const series of [RFA, MEMO, RFI]) {
    await expect(issue(series)).rejects.toMatchObject({ reason: 'COUNTER_REGRESSION' });
  }
  await expect(issue(RFA, 'lost')).rejects.toMatchObject({ reason: 'COUNTER_REGRESSION' });
  // The counter that PostgreSQL never had is known once it was asked.
  expect(await regressions()).toHaveLength(3);

  // The person reads what was lost, and says it.
  const listed = (await shell.run(page.command('list the lost')))
    .split('\n')
    .filter((line) => line.startsWith('TEAM-'));
  expect(listed).toHaveLength(lost.length + 1);
  businessDate = listed[0]?.split(',')[2] ?? '';
  for (const number of lost) expect(listed.some((line) => line.includes(number))).toBe(true);
  const rows = [rowOf(RFA, 5), rowOf(MEMO, 1)];
  expect(await runFromPage('import', { projectCode: 'DEMO', rows })).toMatchObject({
    imported: true,
    recordedHoleCount: 1,
  });
  numbers.push(await issue(RFA), await issue(MEMO));
  expect(new Set([...numbers, ...lost]).size).toBe(numbers.length + lost.length);

  // An acceptance is the word of a person that the lost number is void: it comes again.
  expect(await runFromPage('accept', { input: { ...RFI, reason: 'withdrawn' } })).toEqual({
    lastNumber: 1,
    highWaterMark: 2,
  });
  expect(await issue(RFI)).toBe(lost[3]);
  expect(await regressions()).toEqual([]);

  // A series that is entered anew is another one: nothing remembers what the first one issued.
  await enterSeries(NCR);
  expect(await issue(NCR)).toBe(unremembered);

  // The offer that somebody has won is nobody's any more; the trip goes on with another. Redis may remember the winner for 10 s.
  const answer = await until(async () => {
    const given = await as('driver-2').acceptTrip({ input: offer });
    return given.__typename !== 'TripTaken' && given;
  });
  expect(answer).toMatchObject({ __typename: 'StaleOffer', currentEpoch: offer.offerEpoch + 1000 });
  const again = { tripId: kept.id, offerEpoch: offer.offerEpoch + 1000 };
  expect((await as('driver-2').acceptTrip({ input: again })).__typename).toBe('TripAccepted');
  await expect(
    as('driver-3').acceptTrip({ input: { tripId: unknown.id, offerEpoch: 1 } }),
  ).rejects.toMatchObject({
    reason: 'TRIP_NOT_FOUND',
  });
});

test('beside a Redis from before nothing is refused: the person speaks before users are back', async () => {
  await gateway.end('SIGTERM');
  await shell.run('rm -r "$DATA.lost"');
  await restore();
  await redis.restart({ snapshot: olderRedis });
  await startGateway();
  expect(await regressions()).toEqual([]);
  const rows = [rowOf(RFA, 6)];
  expect(await runFromPage('import', { projectCode: 'DEMO', rows })).toMatchObject({
    imported: true,
    recordedHoleCount: 2,
  });
  expect(await issue(RFA)).toMatch(/0007$/);
  // Nobody spoke for this series: its number after the moment is issued a second time.
  expect(await issue(RFI)).toMatch(/0002$/);
});

test('a gateway of the release before serves tables that a newer one has migrated', async () => {
  await gateway.end('SIGTERM');
  await shell.run(`psql "$OWNER_URL" -c "INSERT INTO schema_migrations (timestamp, name)
    VALUES (9999999999999, 'NextRelease9999999999999')" -c 'ALTER TABLE trips ADD COLUMN next_release text'`);
  await gateway.start();
  expect(await issue(RFA)).toMatch(/0008$/);
});

test('every command of the page was followed', () => {
  expect(page.unfollowed).toEqual([]);
});
