import { setTimeout as pause } from 'node:timers/promises';
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
  });
}, 100_000);

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

test('a worker that dies is replaced by one with its own node', async () => {
  const before = await leases();
  const [victim] = before;
  process.kill(Number(victim?.holder.split(':')[1]), 'SIGKILL');
  await until(
    async () => {
      // A connection that was being handed to the killed worker gets no answer.
      const unanswered = pause(ANSWERED_WITHIN_MS, []);
      const holders = (await Promise.race([leases().catch(() => []), unanswered])).map(
        ({ holder }) => holder,
      );
      return holders.some((holder) => !before.some((lease) => lease.holder === holder));
    },
    { timeoutMs: 60_000 },
  );
  expect(
    (await ask(gateway.origin, 'mutation { generateTsids(count: 1) { ... on TsidsGenerated { ids } } }'))
      .errors,
  ).toEqual([]);
}, 90_000);

test('shutdown ends every worker and releases the nodes', async () => {
  expect(await gateway.end('SIGTERM')).toBe(0);
});
