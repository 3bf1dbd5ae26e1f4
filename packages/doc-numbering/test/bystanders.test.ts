import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { race, valuesOf } from '@solegate/testkit';
import type { PoolClient } from 'pg';
import {
  assertGapless,
  type Office,
  openOffice,
  rfa,
  rfaSeries,
  untilBlockedBy,
  withSeries,
} from './number-office.js';

/** What waits for one counter that a transaction holds does not keep the numbers of others waiting. */
let office: Office;
/** In another process; it gives up long before a holder of these tests would. */
let clerks: Office['numbering'];

beforeAll(async () => {
  office = await openOffice({ poolMax: 20 });
  await withSeries(office.numbering);
  clerks = await office.another({ requestTimeoutMs: 3000 });
});

afterAll(async () => {
  await assertGapless(office.pool);
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

/** A transaction that has drawn from a counter and is open until it is ended, at the latest with its test. */
class Holder implements AsyncDisposable {
  #isEnded = false;

  private constructor(readonly client: PoolClient) {}

  static async of(org: string): Promise<Holder> {
    const client = await office.database.pool.connect();
    await client.query('BEGIN');
    await office.numbering.issueIn(client, to(org));
    return new Holder(client);
  }

  async end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await this.client.query(statement);
    this.client.release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end('ROLLBACK');
  }
}

test('a counter that an open transaction has created keeps no other of its round waiting', async () => {
  await using holder = await Holder.of('CREATED');
  const waiting = clerks.issue(to('CREATED'));
  const issued = valuesOf(await race(40, (index) => clerks.issue(to(`OTHER${index % 20}`))));
  expect(issued.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual([
    ...Array(20).fill(1),
    ...Array(20).fill(2),
  ]);
  await holder.end('COMMIT');
  expect((await waiting).sequence).toBe(2);
});

test('many counters that open transactions have created leave places for the others', async () => {
  const orgs = Array.from({ length: 8 }, (_, index) => `HELD${index}`);
  const holders = await Promise.all(orgs.map(Holder.of));
  const waiting = race(orgs.length, (index) => clerks.issue(to(orgs[index] ?? '')));
  for (let round = 0; round < 3; round += 1)
    valuesOf(await race(20, (index) => clerks.issue(to(`FREE${round}_${index}`))));
  for (const holder of holders) await holder.end('COMMIT');
  expect(valuesOf(await waiting).map(({ sequence }) => sequence)).toEqual(orgs.map(() => 2));
});

test('a request that ends while its counter is held leaves the others their time', async () => {
  const orgs = Array.from({ length: 8 }, (_, index) => `LATE${index}`);
  const holders = await Promise.all(orgs.map(Holder.of));
  const hasty = await office.another({ requestTimeoutMs: 500 });
  const codes = await Promise.all(
    orgs.map(async (org, before) => {
      const said: unknown[] = [];
      // So that they end one after another.
      for (let time = 0; time < before; time += 1) await clerks.issue(to(`BESIDE${before}`));
      for (let time = 0; time < 4; time += 1)
        await hasty.issue(to(org)).catch((error) => said.push(error.code ?? error));
      return said;
    }),
  );
  for (const holder of holders) await holder.end('ROLLBACK');
  // A busy machine might not say in time that a row is held.
  const expected: readonly unknown[] = ['BUSY', 'STORE_UNAVAILABLE'];
  expect(codes.flat().filter((code) => !expected.includes(code))).toEqual([]);
  expect(codes.flat()).toHaveLength(4 * orgs.length);
});

test('a lone request ends while the counter that it needs is still held, new or not', async () => {
  await office.numbering.issue(to('KNOWN'));
  await using created = await Holder.of('LONELY');
  await using drawn = await Holder.of('KNOWN');
  const hasty = await office.another({ requestTimeoutMs: 1500 });
  const codes: unknown[] = [];
  for (const org of ['LONELY', 'KNOWN', 'LONELY', 'KNOWN'])
    codes.push(await hasty.issue(to(org)).catch((error) => error.code ?? error));
  expect(codes).toEqual(Array(4).fill('BUSY'));
  await Promise.all([created.end('COMMIT'), drawn.end('COMMIT')]);
  expect((await clerks.issue(to('LONELY'))).sequence).toBe(2);
  expect((await clerks.issue(to('KNOWN'))).sequence).toBe(3);
});

test('a counter that is created and rolled back meanwhile is opened by whoever waits', async () => {
  await using holder = await Holder.of('UNDONE');
  const waiting = clerks.issue(to('UNDONE'));
  await untilBlockedBy(office, holder.client);
  await holder.end('ROLLBACK');
  expect((await waiting).sequence).toBe(1);
});

const admin = { actor: 'admin', reason: 'by hand' };

const SEVERAL: Readonly<Record<string, (orgs: readonly string[]) => Promise<unknown>>> = {
  'an import': async (orgs) => {
    const rows = orgs.map((org) => ({ ...to(org), sequence: 9, date: new Date() }));
    const report = await office.numbering.importNumbers({ space: 'P1', rows, holes: 'record', ...admin });
    expect(report).toMatchObject({ imported: true, recordedHoleCount: 12 });
  },
  'a change of the rules': () => office.numbering.defineSeries({ ...rfaSeries, endAt: 9000 }),
  'a withdrawal': async () => {
    const { space, series } = rfaSeries;
    await office.numbering.saveFormat({
      space,
      series,
      template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:5}',
      actor: 'admin',
      validFrom: '2199-01-01',
    });
    await office.numbering.withdrawFormat({ space, series, version: 2, actor: 'admin' });
  },
};

test.each(Object.keys(SEVERAL))('%s that waits for one counter lets the others go', async (what) => {
  const orgs = ['A', 'B'].map((name) => `${name}${Object.keys(SEVERAL).indexOf(what)}`);
  for (const org of orgs) await office.numbering.issue(to(org));
  const [first = '', second = ''] = orgs;
  await using holder = await Holder.of(second);
  const waiting = SEVERAL[what]?.(orgs);
  await untilBlockedBy(office, holder.client);
  expect((await clerks.issue(to(first))).sequence).toBe(2);
  await holder.end('COMMIT');
  await waiting;
});

test('imports, changes of the rules and draws of the same counters all end, without a gap', async () => {
  const orgs = ['C0', 'C1', 'C2', 'C3'];
  for (const org of orgs) await office.numbering.issue(to(org));
  const importAt = (sequence: number, order: readonly string[]) => {
    const rows = order.map((org) => ({ ...to(org), sequence, date: new Date() }));
    return office.numbering.importNumbers({ space: 'P1', rows, holes: 'record', ...admin });
  };
  const outcomes = await race<unknown>(60, (index) => {
    if (index === 20) return importAt(500, orgs);
    if (index === 25) return importAt(600, orgs.toReversed());
    if (index % 20 === 10) return office.numbering.defineSeries({ ...rfaSeries, endAt: 9000 - index });
    return clerks.issue(to(orgs[index % 4] ?? ''));
  });
  const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done'));
  // An import is BUSY if the rules change meanwhile.
  expect(codes.filter((code, index) => code !== 'done' && index !== 20 && index !== 25)).toEqual([]);
  expect([codes[20], codes[25]].every((code) => code === 'done' || code === 'BUSY')).toBe(true);
  await assertGapless(office.pool);
});
