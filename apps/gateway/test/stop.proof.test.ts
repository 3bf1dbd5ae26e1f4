import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { GATEWAY_PROGRAM, runGateway, until } from '@solegate/testkit';
import { ask, gatewayOfFile } from './gateway-fixture.js';
import { serve } from './gateway-process.js';

/** Shutdown is graceful under load, happens once for a repeated signal, and does not follow the shell that started it. */
const witness = gatewayOfFile();
let environment: Record<string, string>;

beforeAll(() => {
  environment = { DATABASE_URL: witness.stores.databaseUrl, REDIS_URL: witness.stores.redisUrl };
});

const ISSUE = `mutation ($key: String) { issueDocumentNumber(input: {
  projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR", idempotencyKey: $key
}) { ... on DocumentNumber { number } } }`;

async function ledger(): Promise<string[]> {
  const numbers: string[] = [];
  let after: string | null = null;
  do {
    const query = `query ($after: String) { documentNumbers(first: 100, after: $after) {
      edges { node { number } } pageInfo { endCursor hasNextPage }
    } }`;
    const { data } = await witness.ask(query, { variables: { after } });
    numbers.push(...data.documentNumbers.edges.map((edge: { node: { number: string } }) => edge.node.number));
    after = data.documentNumbers.pageInfo.hasNextPage ? data.documentNumbers.pageInfo.endCursor : null;
  } while (after !== null);
  return numbers;
}

async function liveNodes(): Promise<number> {
  const { data } = await witness.ask('{ nodeFleet { heldNodeCount } }');
  return data.nodeFleet.heldNodeCount;
}

describe('SIGTERM under load', () => {
  test('returns every issued number, releases the node and exits with 0', async () => {
    await using gateway = await serve(environment);
    // A gateway can be ready before it has its node.
    await until(async () => (await liveNodes()) === 2);
    const returned: string[] = [];
    let refusedCount = 0;
    const caller = async (index: number): Promise<void> => {
      for (let turn = 0; ; turn += 1) {
        try {
          const { data } = await ask(gateway.origin, ISSUE, { variables: { key: `${index}-${turn}` } });
          returned.push(data.issueDocumentNumber.number);
        } catch {
          refusedCount += 1;
          return;
        }
      }
    };
    const callers = Array.from({ length: 20 }, (_, index) => caller(index));
    await until(() => returned.length > 100);
    const ended = gateway.end('SIGTERM');
    await Promise.all(callers);

    expect(await ended).toBe(0);
    expect(refusedCount).toBe(20);
    expect(new Set(returned).size).toBe(returned.length);
    expect((await ledger()).toSorted()).toEqual(returned.toSorted());
    expect(await liveNodes()).toBe(1);
  });
});

test('pressing Ctrl-C twice causes one shutdown and does not force the exit', async () => {
  await using gateway = await serve({ ...environment, DRAIN_DELAY_MS: '300' });
  const ended = gateway.end('SIGINT');
  gateway.signal('SIGINT');
  expect(await ended).toBe(0);
});

test('the gateway keeps running after the shell that started it exits', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-'));
  const output = join(directory, 'output');
  const shell = spawn(
    'sh',
    ['-c', `"$0" "$@" > ${output} 2>&1 & echo $!`, process.execPath, GATEWAY_PROGRAM],
    {
      env: { PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const [pid] = await once(shell.stdout, 'data');
  await once(shell, 'exit');
  const bannerOf = async () => /ready at (\S+)\/graphql/.exec(await readFile(output, 'utf8'))?.[1];
  try {
    await until(async () => (await bannerOf()) !== undefined, { timeoutMs: 240_000 });
    await pause(1_000);
    const answer = await fetch(`${await bannerOf()}/health/live`);
    expect(answer.status).toBe(200);
  } finally {
    process.kill(Number(pid), 'SIGTERM');
    await until(() => !isAlive(Number(pid)));
    await rm(directory, { recursive: true, force: true });
  }
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('readiness turns red before the listener closes', async () => {
  await using gateway = await serve({ ...environment, DRAIN_DELAY_MS: '2000' });
  const ready = async () => (await fetch(`${gateway.origin}/health/ready`)).status;
  expect(await ready()).toBe(200);
  const ended = gateway.end('SIGTERM');
  await until(async () => (await ready()) === 503, { timeoutMs: 5_000 });
  const answer = await ask(gateway.origin, '{ __typename }');
  expect(answer.data.__typename).toBe('Query');
  expect(answer.headers.get('connection')).toBe('close');
  expect(await ended).toBe(0);
});

describe('a failed start', () => {
  test('reports every fault of the environment', async () => {
    const { exitCode, output } = await runGateway({
      environment: { PORT: 'many', WORKERS: '0', HOST: '0.0.0.0', REDIS_URL: 'http://x' },
    });
    expect(exitCode).toBe(1);
    for (const name of ['PORT', 'WORKERS', 'HOST', 'REDIS_URL']) expect(output).toContain(`- ${name}: `);
  });

  test('advises on a port that is in use', async () => {
    const { exitCode, output } = await runGateway({
      environment: { ...environment, PORT: String(witness.port) },
      command: ['serve'],
    });
    expect(exitCode).toBe(1);
    expect(output).toContain('PORT=');
    expect(await liveNodes()).toBe(1);
  });

  test('reports an unreachable store without its password', async () => {
    const { exitCode, output } = await runGateway({
      environment: { ...environment, DATABASE_URL: 'postgres://solegate_runtime:hunter2@127.0.0.1:1/none' },
      command: ['serve'],
    });
    expect(exitCode).toBe(1);
    expect(output).toMatch(/PostgreSQL/);
    expect(output).not.toContain('hunter2');
  });
});
