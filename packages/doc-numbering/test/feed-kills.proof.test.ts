import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { forkTypeScript, type PostgresTestServer, startPostgresServer, until } from '@solegate/testkit';
import { type IssueRequest, NumberingError } from '../src/index.js';
import { type Office, openOffice, rfa, withSeries } from './number-office.js';

/**
 * 10,000 numbers of 100 counters, and what becomes of some, read by a process that is killed 50 times while PostgreSQL is
 * killed and transactions commit late: with the cursor it stored, each fact once and in order.
 */
const NUMBERS = 10_000;
const COUNTERS = 100;
const KILLS = 50;
const CALLERS = 20;

let postgres: PostgresTestServer;
let office: Office;

beforeAll(async () => {
  postgres = await startPostgresServer();
  office = await openOffice({ serverUrl: postgres.url, poolMax: 20 });
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
});

afterAll(async () => {
  await office?.[Symbol.asyncDispose]();
  await postgres?.stop();
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Repeats a call that failed in a way that a repeat can heal. */
async function insist<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof NumberingError && error.retryable)) throw error;
      await pause(50);
    }
  }
}

async function act(index: number): Promise<void> {
  const { numbering } = office;
  const dimensions = { ORG: `O${index % COUNTERS}`, DISCIPLINE: 'STR' };
  const request: IssueRequest = { ...rfa, dimensions, key: `K${index}` };
  if (index % 10 === 0) {
    const { token } = await insist(() => numbering.reserve({ ...request, holdMs: 3_600_000 }));
    const step = index % 20 === 0 ? 'confirm' : 'cancel';
    await insist(() => numbering[step]({ token, actor: 'ann', reason: 'not needed' }));
  } else {
    const { number } = await insist(() => numbering.issue(request));
    const voided = { space: 'P1', number, actor: 'bob', reason: 'typo' };
    if (index % 10 === 1) await insist(() => numbering.void(voided));
  }
}

/** Voids a number in a transaction that commits two seconds later. */
async function voidLate(): Promise<void> {
  const { number } = await insist(() =>
    office.numbering.issue({ ...rfa, dimensions: { ORG: 'LATE', DISCIPLINE: 'STR' } }),
  );
  const client = await office.pool.connect().catch(() => undefined);
  const ends = (error: unknown) => client?.release(error instanceof Error ? error : new Error('lost'));
  try {
    await client?.query('BEGIN');
    const text = "SELECT document_number_change_v1('VOID', 'eve', 'late', space => 'P1', number => $1)";
    await client?.query(text, [number]);
    await pause(2000);
    await client?.query('COMMIT');
    client?.release();
  } catch (error) {
    ends(error);
  }
}

async function load(): Promise<void> {
  let next = 0;
  const caller = async () => {
    for (let index = next++; index < NUMBERS; index = next++) await act(index);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

type Fact = readonly [kind: string, counterId: string, sequence: number];

test('a process that is killed 50 times reads each fact once and in order', async () => {
  const facts: Fact[] = [];
  let cursor = '';
  let isLoaded = false;
  const working = load().then(() => {
    isLoaded = true;
  });
  const late = async () => {
    while (!isLoaded) await voidLate();
  };
  const lating = late();
  const expected = async (): Promise<number> => {
    const { rows } = await office.pool.query(`
      SELECT (SELECT count(*) FROM document_numbers)::int
        + (SELECT count(*) FROM document_number_events WHERE type IN ('number_voided', 'reservation_confirmed', 'reservation_cancelled'))::int AS count`);
    return rows[0].count;
  };
  let killCount = 0;
  const consume = async (forMs: number) => {
    await using consumer = forkTypeScript(new URL('./feed-consumer.ts', import.meta.url), [
      office.database.url,
      'RFA',
      cursor,
    ]);
    await pause(forMs);
    await consumer.kill();
    for (const line of consumer.lines as { cursor: string; facts: Fact[] }[]) {
      facts.push(...line.facts);
      cursor = line.cursor;
    }
  };
  for (; killCount < KILLS; killCount += 1) {
    if (killCount === 15 || killCount === 35) {
      await postgres.kill();
      await postgres.restart();
    }
    await consume(800 + (killCount % 7) * 150);
  }
  await working;
  await lating;
  const total = await expected();
  // One last process reads the rest.
  const rest = forkTypeScript(new URL('./feed-consumer.ts', import.meta.url), [
    office.database.url,
    'RFA',
    cursor,
  ]);
  const countOf = () =>
    facts.length + (rest.lines as { facts: Fact[] }[]).reduce((sum, line) => sum + line.facts.length, 0);
  await until(() => countOf() >= total, { timeoutMs: 120_000, intervalMs: 50 }).catch(() => undefined);
  await pause(1000);
  await rest.kill();
  for (const line of rest.lines as { facts: Fact[] }[]) facts.push(...line.facts);

  const said = facts.map((fact) => fact.join(' '));
  expect(new Set(said).size).toBe(said.length);
  expect(said.length).toBe(total);
  const lastOf = new Map<string, number>();
  for (const [kind, counterId, sequence] of facts) {
    const last = lastOf.get(counterId) ?? 0;
    if (kind === 'ISSUED' || kind === 'RESERVED') {
      expect(sequence).toBe(last + 1);
      lastOf.set(counterId, sequence);
    } else expect(sequence).toBeLessThanOrEqual(last);
  }
  process.stdout.write(`${said.length} facts, ${killCount} kills, ${lastOf.size} counters\n`);
});
