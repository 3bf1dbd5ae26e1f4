import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { race, until, valuesOf } from '@solegate/testkit';
import type pg from 'pg';
import { assertGapless, type Office, openOffice, rfa, withSeries } from './number-office.js';

/** Every wait ends: for a connection that another call holds, and for a row that another transaction locks. */
const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });
const refusedDate = { date: '2020-01-01' };

describe.each([1, 4, 10])('on a pool of %i connections', (poolMax) => {
  let office: Office;

  beforeAll(async () => {
    // Calls in a deadlock would wait until this timeout; it is long enough for a slow machine.
    office = await openOffice({ poolMax, requestTimeoutMs: 20_000 });
    await withSeries(office.numbering);
  });

  afterAll(async () => {
    await office[Symbol.asyncDispose]();
  });

  const codes = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
    new Set(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done')));

  describe.each([8, 12])('%i concurrent calls', (count) => {
    test('invalid assign calls are refused, in a warm and in a fresh process', async () => {
      const fresh = await office.another();
      await office.numbering.issue(to('WARM'));
      for (const numbering of [office.numbering, fresh]) {
        const refused = await race(count, (index) =>
          numbering.assign({ ...to('A'), ...refusedDate, sequence: index + 1, reason: 'test' }),
        );
        expect(codes(refused)).toEqual(new Set(['PERIOD_CLOSED']));
        expect(await numbering.issue(to('WARM'))).toMatchObject({ series: 'RFA' });
      }
    });

    test('invalid skipTo and voidAndReplace calls are refused', async () => {
      const { numbering } = office;
      const { number } = await numbering.issue(to('B'));
      const skips = await race(count, () =>
        numbering.skipTo({ ...to('B'), ...refusedDate, upTo: 50, reason: 'test', actor: 'admin' }),
      );
      expect(codes(skips)).toEqual(new Set(['PERIOD_CLOSED']));
      const replacement = { ...to('B'), series: 'NONE' };
      const replaces = await race(count, () =>
        numbering.voidAndReplace({ space: 'P1', number, reason: 'test', actor: 'admin', replacement }),
      );
      expect(codes(replaces)).toEqual(new Set(['UNKNOWN_SERIES']));
      expect(await numbering.issue(to('B'))).toMatchObject({ series: 'RFA' });
    });

    test('valid assign and voidAndReplace calls succeed in a fresh process', async () => {
      const org = `C${count}`;
      const fresh = await office.another();
      const assigned = await race(count, (index) =>
        fresh.assign({ ...to(`${org}${index}`), sequence: 1, reason: 'test' }),
      );
      const numbers = valuesOf(assigned).map(({ number }) => number);
      const other = await office.another();
      const replaced = await race(count, (index) =>
        other.voidAndReplace({
          space: 'P1',
          number: numbers[index] ?? '',
          reason: 'test',
          actor: 'admin',
          replacement: to(`${org}${index}`),
        }),
      );
      expect(valuesOf(replaced).map(({ replacement }) => replacement?.sequence)).toEqual(
        numbers.map(() => 2),
      );
    });

    test("issueIn in a fresh process needs no connection besides its caller's", async () => {
      const fresh = await office.another();
      const drawn = await race(Math.min(count, poolMax), async (index) => {
        const client = await office.pool.connect();
        try {
          await client.query('BEGIN');
          const issued = await fresh.issueIn(client, to(`D${count}_${index}`));
          await client.query('COMMIT');
          return issued.sequence;
        } finally {
          await client.query('ROLLBACK');
          client.release();
        }
      });
      expect(new Set(valuesOf(drawn))).toEqual(new Set([1]));
    });
  });

  test('the ledger is gapless after all of this', async () => {
    await assertGapless(office.database.pool);
  });
});

describe.each([
  ['without Redis', 'crowd'],
  ['with Redis', 'crowd'],
  ['with Redis', 'always'],
] as const)('%s, lock: %s', (redis, lock) => {
  let office: Office;

  beforeAll(async () => {
    // Rows stay locked until the other requests are answered, however long that takes.
    office = await openOffice({ redis: redis === 'with Redis', lock, requestTimeoutMs: 60_000 });
    await withSeries(office.numbering);
    for (const org of ['A', 'B', 'C']) await office.numbering.issue(to(org));
  });

  afterAll(async () => {
    await office[Symbol.asyncDispose]();
  });

  /** Issues in a transaction that stays open until `end`. */
  async function hold(...orgs: string[]): Promise<{ end(): Promise<void> }> {
    const clients: pg.PoolClient[] = [];
    for (const org of orgs) {
      const client = await office.database.pool.connect();
      await client.query('BEGIN');
      await office.numbering.issueIn(client, to(org));
      clients.push(client);
    }
    return {
      end: async () => {
        for (const client of clients) {
          await client.query('ROLLBACK');
          client.release();
        }
      },
    };
  }

  test.each([[['A']], [['A', 'B']], [['A', 'B', 'C']]])(
    'while the rows of %s are held, 100 callers of other counters are answered before they are free',
    async (orgs) => {
      const held = await hold(...orgs);
      let waitingCount = orgs.length;
      const waiting = orgs.map(async (org) => {
        const issued = await office.numbering.issue(to(org));
        waitingCount -= 1;
        return issued;
      });
      const others = valuesOf(await race(100, (index) => office.numbering.issue(to(`O${index % 20}`))));
      const [reservation] = valuesOf(await race(1, () => office.numbering.reserve(to('R'))));
      expect(waitingCount).toBe(orgs.length);
      await held.end();
      expect(others).toHaveLength(100);
      expect(reservation?.status).toBe('reserved');
      expect(await Promise.all(waiting)).toHaveLength(orgs.length);
    },
  );

  test('requests in the same commit as a locked row are answered before it is unlocked', async () => {
    const held = await hold('A');
    const [, ...free] = ['A', ...Array.from({ length: 99 }, (_, index) => `S${index}`)].map((org) =>
      office.numbering.issue(to(org)),
    );
    await Promise.all(free);
    await held.end();
  });

  test('a request for a locked row ends as BUSY at its deadline, and is first if the row is unlocked in time', async () => {
    const impatient = await office.another({ requestTimeoutMs: 1000 });
    await impatient.issue(to('B'));
    const held = await hold('B');
    // The row stays locked until the request is refused.
    await expect(impatient.issue(to('B'))).rejects.toMatchObject({ code: 'BUSY', retryable: true });
    const drawing = race(10, () => office.numbering.issue(to('B')));
    await held.end();
    const before = valuesOf(await drawing).map(({ sequence }) => sequence);
    expect(before).toEqual(Array.from({ length: 10 }, (_, index) => (before[0] ?? 0) + index));
  });

  test('more locked rows than connections do not delay other requests', async () => {
    const orgs = Array.from({ length: 9 }, (_, index) => `H${index}`);
    for (const org of orgs) await office.numbering.issue(to(org));
    const held = await hold(...orgs);
    const waiting = orgs.map((org) => office.numbering.issue(to(org)));
    const others = await race(100, (index) => office.numbering.issue(to(`P${index % 10}`)));
    expect(valuesOf(others)).toHaveLength(100);
    await held.end();
    expect(await Promise.all(waiting)).toHaveLength(9);
    await until(async () => (await assertGapless(office.database.pool)) > 0);
  });
});
