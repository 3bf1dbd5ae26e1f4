import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@solegate/local-services';
import { type GatewayProcess, until } from '@solegate/testkit';
import { ask, FileStores } from './gateway-fixture.js';
import { serve } from './gateway-process.js';

const ANSWERED_WITHIN_MS = 5_000;

/** `WORKERS=n`: several processes behind one port, each with its own node ID. */
let gateway: GatewayProcess;
let metricsUrl: string;

afterAll(() => gateway?.[Symbol.asyncDispose]());
const stores = new FileStores();

beforeAll(async () => {
  const metricsPort = await freePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  gateway = await serve({
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    WORKERS: '2',
    METRICS_PORT: String(metricsPort),
    NODE_OPTIONS: `--import=${new URL('./failing-forks.mjs', import.meta.url)}`,
  });
});

interface Lease {
  readonly node: number;
  readonly holder: string;
}

async function leases(): Promise<Lease[]> {
  const query = '{ nodeFleet { nodes(state: HELD) { node holder } } }';
  return (await ask(gateway.origin, query)).data.nodeFleet.nodes;
}

test('each worker leases a node', async () => {
  const held = await leases();
  expect(new Set(held.map(({ node }) => node)).size).toBe(2);
  expect(new Set(held.map(({ holder }) => holder)).size).toBe(2);
});

test('100 callers of one series through the shared port get exactly 1 to 100', async () => {
  const issue = () =>
    ask(
      gateway.origin,
      `mutation { issueDocumentNumber(input: {
      projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"
    }) { ... on DocumentNumber { sequence } } }`,
      { headers: { connection: 'close' } },
    );
  const answers = await Promise.all(Array.from({ length: 100 }, issue));
  const sequences = answers.map(({ data }) => data.issueDocumentNumber.sequence).toSorted((a, b) => a - b);
  expect(sequences).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
});

test('metrics cover all workers, on one port', async () => {
  expect((await fetch(`${gateway.origin}/metrics`)).status).toBe(404);
  const text = await (await fetch(metricsUrl)).text();
  const issued = /^solegate_numbers_issued_total (\d+)$/m.exec(text)?.[1];
  expect(Number(issued)).toBe(100);
});

test('metrics that cannot be summed show the worst worker, or are left out', async () => {
  const text = await (await fetch(metricsUrl)).text();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  expect(value('solegate_tsid_lease_seconds_left')).toBeLessThanOrEqual(30);
  expect(value('solegate_tsid_free_nodes')).toBe(1_022);
  expect(value('solegate_tsid_lease_healthy')).toBe(1);
  expect(text).not.toMatch(/^solegate_tsid_node /m);
  expect(text).toMatch(/^solegate_gateway_ready\{part="postgres"\} 1$/m);
  expect(text).toMatch(/^solegate_gateway_info\{.*\} 1$/m);
});

/** Only those that already run the worker's program: a process paused before that would block its parent. */
async function workerPids(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const pairs = stdout
    .split('\n')
    .filter((line) => line.includes('worker.js'))
    .map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([pid = 0, parent]) => (parent === gateway.pid ? [pid] : []));
}

/** Kills a worker; resolves to the process ID of its replacement, which has only begun to load then. */
async function replaceWorker(): Promise<number> {
  const before = await workerPids();
  process.kill(before[0] as number, 'SIGKILL');
  const replacement = async () => (await workerPids()).find((pid) => !before.includes(pid)) ?? 0;
  return until(replacement);
}

/** The process that answers, by the node it mints on: new connections are given to the workers in turn. */
async function answeringPid(): Promise<number> {
  const query = '{ nodeFleet { nodes(state: HELD) { holder isMine } } }';
  const asked = ask(gateway.origin, query, { headers: { connection: 'close' } });
  // A connection that was being handed to a killed worker gets no answer.
  const answer = await Promise.race([asked, pause(ANSWERED_WITHIN_MS)]);
  const mine = answer?.data.nodeFleet.nodes.find(({ isMine }: { isMine: boolean }) => isMine);
  return Number(mine?.holder.split(':')[1]);
}

/** If none of the workers listened any more, the system would choose another port. */
async function untilTwoServe(): Promise<void> {
  const twoServe = async () => {
    const answering = new Set([await answeringPid(), await answeringPid()]);
    const pids = await workerPids();
    return pids.length === 2 && pids.every((pid) => answering.has(pid));
  };
  await until(twoServe, { what: 'Two workers that answer' });
}

test('a worker that dies is replaced by one with its own node; scrapes meanwhile are complete or fail', async () => {
  const replacement = await replaceWorker();
  const scrapes: { status: number; isComplete: boolean }[] = [];
  await until(async () => {
    const answer = await fetch(metricsUrl);
    const text = await answer.text();
    scrapes.push({ status: answer.status, isComplete: /^solegate_numbers_issued_total /m.test(text) });
    return (await answeringPid()) === replacement;
  });
  expect(scrapes.filter(({ status, isComplete }) => isComplete !== (status === 200))).toEqual([]);
  expect(scrapes.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(
    (await ask(gateway.origin, 'mutation { generateTsids(count: 1) { ... on TsidsGenerated { ids } } }'))
      .errors,
  ).toEqual([]);
});

test('a replacement that cannot start is reported with the reason, until one starts', async () => {
  const name = new URL(stores.database.directUrl).pathname.slice(1);
  await stores.database.pool.query(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
  await replaceWorker();
  await until(() => /"level":50.*too many connections.*"code":"DATABASE_UNREACHABLE"/.test(gateway.output));
  await stores.database.pool.query(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
  await untilTwoServe();
});

test('a replacement that the system cannot even start is reported, until it can', async () => {
  const [killed = 0] = await workerPids();
  process.kill(gateway.pid, 'SIGUSR2');
  process.kill(killed, 'SIGKILL');
  for (const code of ['ENOTDIR', 'ENOENT']) {
    const isReported = () => new RegExp(`"level":50.*"code":"${code}"`).test(gateway.output);
    await until(isReported, { what: code });
    process.kill(gateway.pid, 'SIGUSR2');
  }
  await untilTwoServe();
  // Nothing waits for the one that never was.
  expect((await fetch(metricsUrl)).status).toBe(200);
});

test('shutdown while a replacement is loading ends every worker and releases the nodes', async () => {
  await replaceWorker();
  expect(await gateway.end('SIGTERM')).toBe(0);
});

/** Of a gateway that was just started, pauses a worker before it listens; resolves once the other one serves. */
async function pauseOne(): Promise<{ readonly serving: number; readonly paused: number }> {
  await until(async () => (await workerPids()).length === 2, { what: 'Two workers' });
  const [serving, paused] = (await workerPids()) as [number, number];
  process.kill(paused, 'SIGSTOP');
  await until(async () => (await fetch(`${gateway.origin}/health/ready`)).ok, { timeoutMs: 240_000 });
  return { serving, paused };
}

test('a worker that dies while another still starts is replaced', async () => {
  await gateway.end('SIGTERM');
  const ready = gateway.start();
  const { serving, paused } = await pauseOne();
  process.kill(serving, 'SIGKILL');
  await until(async () => !(await workerPids()).includes(serving));
  process.kill(paused, 'SIGCONT');
  await ready;
  await untilTwoServe();
});

test('a start of which one worker dies before it listens ends the others, and the process with 1', async () => {
  await gateway.end('SIGTERM');
  const ended = gateway.run();
  const { paused } = await pauseOne();
  process.kill(paused, 'SIGKILL');
  const { exitCode, output } = await ended;
  expect(exitCode).toBe(1);
  expect(output).toContain('a worker exited before it was listening');
});
