import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import type pg from 'pg';
import { gatewayOfFile, type Json } from './gateway-fixture.js';

/** Work whose caller no longer waits: the client disconnected, or the request timed out. */
const REQUEST_TIMEOUT_MS = 3_000;
const SERIES = 'projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';
const ISSUE = `issueDocumentNumber(input: { ${SERIES} }) { __typename ... on DocumentNumber { sequence } }`;

let other: pg.PoolClient;

afterAll(() => other?.release());
const gateway = gatewayOfFile({ REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS) });

beforeAll(async () => {
  other = await gateway.stores.database.pool.connect();
});

beforeEach(async () => {
  const { errors } = await gateway.ask(`mutation { ${ISSUE} }`);
  expect(errors).toEqual([]);
});

/** Runs the work while another transaction holds the counter's row lock, so that issuing blocks. */
async function whileRowIsHeld(work: () => Promise<void>): Promise<void> {
  await other.query('BEGIN');
  await other.query('SELECT FROM document_number_counters FOR UPDATE');
  try {
    await work();
  } finally {
    await other.query('ROLLBACK');
  }
}

async function lastNumber(): Promise<number> {
  const { rows } = await other.query<{ last: string }>(
    'SELECT last_number AS last FROM document_number_counters',
  );
  return Number(rows[0]?.last);
}

test('a skip that cannot finish in time is rejected as not done, and is not done later', async () => {
  const before = await lastNumber();
  await whileRowIsHeld(async () => {
    const { errors } = await gateway.ask(
      `mutation { skipDocumentNumbers(input: { ${SERIES}, upTo: 500, reason: "x" }) { ... on DocumentNumbersSkipped { skippedCount } } }`,
      { as: 'admin-5' },
    );
    // The lock timeout ends it, or on a busy machine the deadline of the call.
    const reason = expect.stringMatching(/^(BUSY|STORE_UNAVAILABLE)$/);
    expect(errors[0]?.extensions).toMatchObject({ reason, retryable: true });
  });
  const { data } = await gateway.ask(`mutation { ${ISSUE} }`);
  expect(data.issueDocumentNumber.sequence).toBe(before + 1);
});

test('the next mutation of a disconnected client is not started, and this is counted', async () => {
  const before = await lastNumber();
  await whileRowIsHeld(async () => {
    const asked = request(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    asked.on('error', () => undefined);
    asked.end(JSON.stringify({ query: `mutation { one: ${ISSUE} two: ${ISSUE} three: ${ISSUE} }` }));
    await until(async () => (await waiters()) === 1);
    const openCount = await socketCount();
    asked.destroy();
    await until(async () => (await socketCount()) < openCount);
  });
  await until(async () => (await countOf('CLIENT_LEFT')) === 1);
  // The first mutation had already started and cannot be undone.
  expect(await lastNumber()).toBe(before + 1);
});

test('a body that is late is not executed, and its client cannot keep the connection half open', async () => {
  const before = await lastNumber();
  const openCount = await socketCount();
  const body = JSON.stringify({ query: `mutation { ${ISSUE} }` });
  const port = Number(new URL(gateway.url).port);
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.slice(0, -1));
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 408 /);
  socket.write(body.slice(-1));
  await until(async () => (await socketCount()) <= openCount);
  expect(await lastNumber()).toBe(before);
  socket.destroy();
}, 30_000);

/** Number of statements that wait for a lock. */
async function waiters(): Promise<number> {
  const { rows } = await other.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return Number(rows[0]?.count);
}

/** Number of open connections, including the one that reads the metrics. */
async function socketCount(): Promise<number> {
  const [, count] = /^solegate_gateway_connections (\d+)$/m.exec(await metrics()) ?? [];
  return Number(count);
}

async function metrics(): Promise<string> {
  return (await fetch(`${gateway.url}/metrics`, { headers: { connection: 'close' } })).text();
}

async function countOf(code: string): Promise<number> {
  const line = new RegExp(
    `^solegate_gateway_operation_seconds_count{operation="[^"]*",code="${code}"} (\\d+)$`,
    'm',
  );
  return Number((line.exec(await metrics()) as Json)?.[1] ?? 0);
}
