import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, test } from '@jest/globals';
import {
  Authority,
  type GatewayProcess,
  type PostgresTestServer,
  type RedisTestServer,
  startPostgresServer,
  startRedisServer,
} from '@solegate/testkit';
import { startComposedGateway } from '../composed-gateway.js';
import { expectPromisesKept } from '../expect-promises-kept.js';
import { FleetLoad, prepareFleet } from '../fleet-load.js';
import { migrateForRuntime } from '../migrated-database.js';
import { type Monitor, startMonitor } from '../monitoring-programs.js';
import { type NginxServer, startNginx } from '../nginx-server.js';
import { type PrometheusServer, startAlertmanager, startPrometheus } from '../prometheus-server.js';
import { RetryingClient } from '../retrying-client.js';
import { type StubGateway, startStubGateway } from '../stub-gateway.js';
import { type Fault, playFaults } from './played-faults.js';

/*
 * The ten faults of "Who hears of an alert" in docs/operations/runbook.md, under load: two cells, the first with a synchronous
 * standby, watched by the exporters and the configuration of this folder. It takes some twenty minutes. Needs root, for a
 * small disk of its own. One fault: `-t 'certificate'`.
 */

/** Every time in the rules is divided by this. */
const TIMES_FASTER = 10;
const THINK_MS = 100;
const REDIS_BYTES = 64 * 2 ** 20;
const DISK = '/mnt';
const DISK_BYTES = 64 * 2 ** 20;
/** Three nodes for two gateways: a third one takes the last. */
const NODES = { main: [0, 2], south: [3, 5] };

const started: AsyncDisposable[] = [];
let main: PostgresTestServer;
let standby: PostgresTestServer;
let south: PostgresTestServer;
let redis: RedisTestServer;
let gateways: GatewayProcess[];
let third: GatewayProcess;
let disk: Monitor;
let secure: Server;
let authority: Authority;
let pager: StubGateway;
let prometheus: PrometheusServer;
let load: FleetLoad;

/** It ends after the tests, in the reverse order. */
function keep<Part extends AsyncDisposable>(part: Part): Part {
  started.unshift(part);
  return part;
}

const monitor = async (...args: Parameters<typeof startMonitor>): Promise<Monitor> =>
  keep(await startMonitor(...args));

/** Changes settings of a server, and waits until they are read. */
async function configure({ pool }: PostgresTestServer, ...settings: string[]): Promise<void> {
  for (const setting of settings) await pool.query(`ALTER SYSTEM ${setting}`);
  await pool.query('SELECT pg_reload_conf()');
}

/** A new segment of the write-ahead log, which wakes the archiver. */
const switchLog = () => main.pool.query('SELECT pg_switch_wal()');

async function startStores(): Promise<string> {
  main = keep(await startPostgresServer());
  south = keep(await startPostgresServer());
  await configure(main, 'SET archive_mode = on', `SET archive_command = 'true'`);
  await main.restart();
  const memory = ['--maxmemory', String(REDIS_BYTES), '--maxmemory-policy', 'noeviction'];
  const server = await startRedisServer({ args: memory });
  keep({ [Symbol.asyncDispose]: () => server.stop() });
  redis = server;
  const [mainUrl, southUrl] = [await migrateForRuntime(main), await migrateForRuntime(south)];
  for (const { pool } of [main, south]) {
    await pool.query('CREATE ROLE solegate_monitor LOGIN IN ROLE pg_monitor');
  }
  standby = keep(await main.startReplica({ synchronous: true }));
  return JSON.stringify({
    cells: [
      { name: 'main', url: mainUrl, nodes: NODES.main },
      { name: 'south', url: southUrl, nodes: NODES.south },
    ],
  });
}

/** Returns the addresses of the exporters, by those in prometheus.yml. */
async function startMonitoring(nginx: NginxServer): Promise<Record<string, readonly string[]>> {
  const file = (name: string) => new URL(`../../observability/${name}`, import.meta.url).pathname;
  const postgresExporter = ({ port }: PostgresTestServer) =>
    monitor('prometheus-postgres-exporter', {
      args: [
        '--disable-default-metrics',
        '--disable-settings-metrics',
        `--extend.query-path=${file('postgres-queries.yml')}`,
      ],
      environment: {
        DATA_SOURCE_NAME: `postgres://solegate_monitor@127.0.0.1:${port}/postgres?sslmode=disable`,
      },
    });
  const exporters = [await postgresExporter(main), await postgresExporter(south)];
  const redisExporter = await monitor('prometheus-redis-exporter', {
    args: [`--redis.addr=${redis.url}`],
  });
  disk = await monitor('prometheus-node-exporter', {
    // Debian's exporter leaves out what is mounted there.
    args: [
      '--collector.disable-defaults',
      '--collector.filesystem',
      '--collector.filesystem.mount-points-exclude=^/(dev|proc|sys)($|/)',
      '--collector.filesystem.fs-types-exclude=^(proc|sysfs)$',
    ],
    within: [
      'unshare',
      '-rmpf',
      '--mount-proc',
      '--kill-child',
      'sh',
      '-c',
      `mount -t tmpfs -o size=${DISK_BYTES} disk ${DISK} && exec "$@"`,
      'sh',
    ],
  });
  const blackbox = await monitor('prometheus-blackbox-exporter', {
    args: [`--config.file=${file('blackbox.yml')}`],
  });
  pager = keep(await startStubGateway());
  const alertmanager = keep(await startAlertmanager(`http://127.0.0.1:${pager.port}`));
  return {
    'postgres-exporter:9187': exporters.map(({ address }) => address),
    'redis-exporter:9121': [redisExporter.address],
    'node-exporter:9100': [disk.address],
    'blackbox-exporter:9115': [blackbox.address],
    'alertmanager:9093': [alertmanager.address],
    'http://nginx:8080/graphql': [
      `${nginx.url}/graphql`,
      `https://127.0.0.1:${(secure.address() as AddressInfo).port}/graphql`,
    ],
  };
}

beforeAll(async () => {
  const jwtSecret = randomBytes(48).toString('base64');
  const databaseUrl = await startStores();
  const settings = { databaseUrl, redisUrl: redis.url, jwtSecret, leaseWindowMs: 30_000 };
  gateways = [keep(await startComposedGateway(settings)), keep(await startComposedGateway(settings))];
  third = keep(await startComposedGateway(settings));
  await third.end('SIGTERM');
  const ports = gateways.map(({ port }) => port);
  const nginx = keep(await startNginx(ports));
  authority = keep(await Authority.make());
  secure = createServer(await authority.certify('IP:127.0.0.1', 90), (_request, response) => response.end());
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  const addresses = await startMonitoring(nginx);
  prometheus = keep(
    await startPrometheus(ports, {
      timesFaster: TIMES_FASTER,
      addresses,
      // The disks of this machine are its own affair.
      jobs: {
        hosts: { metric_relabel_configs: [{ source_labels: ['mountpoint'], regex: DISK, action: 'keep' }] },
      },
    }),
  );
  const client = new RetryingClient(nginx.url, jwtSecret);
  await prepareFleet(client);
  load = new FleetLoad(client, { thinkMs: THINK_MS });
  load.start();
});

afterAll(async () => {
  await load?.stop();
  secure?.close();
  for (const part of started) await part[Symbol.asyncDispose]();
});

/** Fills the disk, seen from the mount namespace of its exporter. */
const filler = () => `/proc/${disk.pid}/root${DISK}/filler`;

/** Keys of almost a megabyte, written by a script: one command that carries them all would be refused itself. */
const FILLER_COUNT = 53;
const FILL = `for index = 1, ARGV[1] do redis.call('SET', 'filler:' .. index, string.rep('x', 1000000)) end`;
const EMPTY = `for index = 1, ARGV[1] do redis.call('DEL', 'filler:' .. index) end`;

/** A session that holds a snapshot. */
let report: { query(text: string): Promise<unknown>; release(): void };

const FAULTS: Readonly<Record<string, Fault>> = {
  'all gateways gone': {
    begin: () => Promise.all(gateways.map((gateway) => gateway.end('SIGTERM'))),
    mend: () => Promise.all(gateways.map((gateway) => gateway.start())),
    alert: 'SolegateNoGateway',
  },
  'PostgreSQL read-only': {
    begin: () => configure(main, 'SET default_transaction_read_only = on'),
    mend: () => configure(main, 'RESET default_transaction_read_only'),
    alert: 'SolegatePostgresReadOnly',
  },
  'the standby gone': {
    begin: () => standby.kill(),
    mend: () => standby.restart(),
    alert: 'SolegateStandbyGone',
  },
  'one cell down': {
    begin: () => south.kill(),
    mend: () => south.restart(),
    alert: 'SolegatePartAway',
  },
  'Redis at 80 % of its memory': {
    begin: () => redis.client().eval(FILL, 0, FILLER_COUNT),
    mend: () => redis.client().eval(EMPTY, 0, FILLER_COUNT),
    alert: 'SolegateRedisNearlyFull',
  },
  'the nodes of a range taken': {
    begin: () => third.start(),
    mend: () => third.end('SIGTERM'),
    alert: 'SolegateFewFreeNodes',
  },
  'a transaction left open': {
    begin: async () => {
      report = await main.pool.connect();
      await report.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await report.query('SELECT count(*) FROM trips');
    },
    mend: async () => {
      await report.query('ROLLBACK');
      report.release();
    },
    alert: 'SolegateOldSnapshot',
    firesWithinMs: 300_000,
  },
  'a disk nearly full': {
    begin: () => writeFile(filler(), Buffer.alloc(0.9 * DISK_BYTES)),
    mend: () => rm(filler()),
    alert: 'SolegateDiskNearlyFull',
  },
  'the log not archived': {
    begin: async () => {
      await configure(main, `SET archive_command = 'false'`);
      await switchLog();
    },
    mend: async () => {
      await configure(main, `SET archive_command = 'true'`);
      await switchLog();
    },
    alert: 'SolegateArchivingFails',
    firesWithinMs: 120_000,
  },
  'a certificate that ends soon': {
    begin: async () => secure.setSecureContext(await authority.certify('IP:127.0.0.1', 10)),
    mend: async () => secure.setSecureContext(await authority.certify('IP:127.0.0.1', 90)),
    alert: 'SolegateCertificateEnds',
  },
};

playFaults(FAULTS, { prometheus: () => prometheus, timesFaster: TIMES_FASTER });

test('the pager was called for those who cannot wait, and no promise was broken', async () => {
  const called = new Set(pager.requests.map(({ url }) => url));
  if (!called.has('/page')) throw new Error('nobody was paged');
  expectPromisesKept(await load.stop());
});
