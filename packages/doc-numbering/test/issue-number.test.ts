import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findDuplicates, findGap, race, until, valuesOf } from '@solegate/testkit';
import { assertGapless, EventLog, type Office, openOffice, rfa, withSeries } from './number-office.js';

describe.each([
  ['always', 'redis+version'],
  ['crowd', 'row'],
] as const)('with the lock %s', (lock, guard) => {
  const log = new EventLog();
  let office: Office;

  beforeAll(async () => {
    office = await openOffice({ redis: true, lock, observer: log.observer });
    await withSeries(office.numbering);
    await withSeries(office.numbering, {
      series: 'LET',
      template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:6}',
    });
    // The first call of a process that is busy with others can miss the 100 ms that Redis has to reply.
    const warm = { ...rfa, dimensions: { ORG: 'WARM', DISCIPLINE: 'STR' } };
    await until(async () => (await office.numbering.issue(warm)).guard === guard);
  });

  afterAll(async () => {
    await office[Symbol.asyncDispose]();
  });

  test('the first number follows the template, with the year in Bangkok time', async () => {
    const issued = await office.numbering.issue({ ...rfa, dimensions: { ORG: 'FIRST', DISCIPLINE: 'STR' } });
    const year = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Bangkok', year: 'numeric' }).format();
    expect(issued).toMatchObject({
      number: `FIRST-RFA-STR-${year}-0001`,
      sequence: 1,
      period: year,
      formatVersion: 1,
      replayed: false,
      guard,
    });
  });

  test.each([100, 500, 1000])('%i concurrent callers of one counter get 1 … n', async (count) => {
    const request = { ...rfa, series: 'LET', dimensions: { ORG: `ONE${count}`, DISCIPLINE: 'STR' } };
    const issued = valuesOf(await race(count, () => office.numbering.issue(request)));
    const sequences = issued.map(({ sequence }) => sequence).sort((a, b) => a - b);
    expect(sequences).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(findDuplicates(issued.map(({ number }) => number))).toBeUndefined();
    for (const { number, sequence } of issued) {
      expect(number.endsWith(String(sequence).padStart(6, '0'))).toBe(true);
    }
  });

  test('1,000 callers over 100 counters get 1 … 10 from each', async () => {
    const issued = valuesOf(
      await race(1000, (index) =>
        office.numbering.issue({ ...rfa, dimensions: { ORG: `MANY${index % 100}`, DISCIPLINE: 'STR' } }),
      ),
    );
    const byCounter = groupByCounter(issued);
    expect(byCounter.size).toBe(100);
    for (const ofOne of byCounter.values()) {
      expect(findGap(ofOne.map(({ sequence }) => sequence))).toBeUndefined();
      expect(ofOne).toHaveLength(10);
    }
  });

  function groupByCounter<Item extends { counterId: string }>(items: readonly Item[]): Map<string, Item[]> {
    const groups = new Map<string, Item[]>();
    for (const item of items) groups.set(item.counterId, [...(groups.get(item.counterId) ?? []), item]);
    return groups;
  }

  test('requests in one process are answered in the order of their arrival', async () => {
    const request = { ...rfa, dimensions: { ORG: 'ORDER', DISCIPLINE: 'STR' } };
    const issued = await Promise.all(Array.from({ length: 50 }, () => office.numbering.issue(request)));
    expect(issued.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  test('several processes share a counter and hand over its lock', async () => {
    const numberings = [
      office.numbering,
      await office.another(),
      await office.another(),
      await office.another(),
    ];
    const request = { ...rfa, series: 'LET', dimensions: { ORG: 'SHARED', DISCIPLINE: 'STR' } };
    const issued = await Promise.all(
      numberings.flatMap((numbering) =>
        Array.from({ length: 25 }, async () => {
          const sequences: number[] = [];
          for (let round = 0; round < 10; round += 1)
            sequences.push((await numbering.issue(request)).sequence);
          return sequences;
        }),
      ),
    );
    expect(findGap(issued.flat())).toBeUndefined();
    expect(issued.flat()).toHaveLength(1000);
  });

  test('issueMany returns consecutive numbers in one commit', async () => {
    const request = { ...rfa, dimensions: { ORG: 'BULK', DISCIPLINE: 'STR' } };
    const [many] = await Promise.all([
      office.numbering.issueMany(request, 100),
      office.numbering.issue(request),
      office.numbering.issueMany(request, 3),
    ]);
    const first = many[0]?.sequence ?? 0;
    expect(many.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 100 }, (_, index) => first + index),
    );
    const rows = await office.pool.query(
      'SELECT count(DISTINCT batch)::int AS batches FROM document_numbers WHERE number = ANY ($1)',
      [many.map(({ number }) => number)],
    );
    expect(rows.rows).toEqual([{ batches: 1 }]);
  });

  test('every ledger row records the actor, the time, the wait and the guard', async () => {
    const id = 7_123_456_789_012_345n;
    const issued = await office.numbering.issue({
      ...rfa,
      id,
      document: 'drawing 7',
      reason: 'first issue',
      key: 'ledger-1',
    });
    const entry = await office.numbering.findNumber({ id });
    expect(entry).toMatchObject({
      id: String(id),
      space: 'P1',
      series: 'RFA',
      dimensions: { DISCIPLINE: 'STR', ORG: 'PAT' },
      number: issued.number,
      status: 'issued',
      document: 'drawing 7',
      actor: 'somchai',
      reason: 'first issue',
      key: 'ledger-1',
      guard,
      retryCount: 0,
      formatVersion: 1,
    });
    expect(entry?.waitedMs).toBeGreaterThanOrEqual(0);
    expect(Math.abs(Date.now() - (entry?.issuedAt.getTime() ?? 0))).toBeLessThan(60_000);
  });

  // Commits of one counter, of several counters and with a key use different statements.
  const beside = { ...rfa, dimensions: { ORG: 'BESIDE', DISCIPLINE: 'STR' } };
  test.each([
    ['alone', 'ALONE', []],
    ['with another counter', 'WITH', [beside]],
    ['with a request that has a key', 'KEYED', [{ ...beside, key: 'beside-1' }]],
  ])('requests that share a commit %s each keep their own data', async (_, ORG, company) => {
    const dimensions = { ORG, DISCIPLINE: 'STR' };
    const requests = [
      { ...rfa, dimensions },
      { ...rfa, dimensions, actor: 'malee', document: 'drawing "8", {b}', id: freshId() },
      { ...rfa, dimensions, reason: 'NULL', id: freshId() },
      { ...rfa, dimensions, actor: 'somsak', document: 'drawing 9' },
    ];
    const [first, ...rest] = requests.map((request) => office.numbering.issue(request));
    const others = company.map((request) => office.numbering.issue(request));
    const many = office.numbering.issueMany({ ...rfa, dimensions, document: 'set of 2' }, 2);
    const issued = [await first, ...(await Promise.all(rest)), ...(await many)];
    await Promise.all(others);
    const { rows } = await office.pool.query(
      `SELECT sequence::int, number, actor, document, reason, id, batch_position, status, guard,
       count(*) OVER (PARTITION BY batch)::int AS batch_size,
       (SELECT count(*)::int FROM document_numbers h WHERE h.batch = n.batch AND h.batch_head) AS head_count
     FROM document_numbers n WHERE counter_id = $1 ORDER BY sequence`,
      [issued[0]?.counterId],
    );
    const of = (facts: object) => ({ actor: 'somchai', document: null, reason: null, id: null, ...facts });
    const common = { batch_size: 6, head_count: 1, status: 'issued', guard };
    expect(rows).toEqual(
      [
        of({}),
        of({ actor: 'malee', document: 'drawing "8", {b}', id: String(requests[1]?.id) }),
        of({ reason: 'NULL', id: String(requests[2]?.id) }),
        of({ actor: 'somsak', document: 'drawing 9' }),
        of({ document: 'set of 2' }),
        of({ document: 'set of 2' }),
      ].map((facts, index) => ({
        sequence: index + 1,
        batch_position: index + 1,
        number: issued[index]?.number,
        ...facts,
        ...common,
      })),
    );
  });

  let lastId = 7_200_000_000_000_000n;
  function freshId(): bigint {
    lastId += 1n;
    return lastId;
  }

  test('a commit reports what the observer returned when each of its requests was queued', async () => {
    const caller = new AsyncLocalStorage<string>();
    const served: unknown[][] = [];
    const numbering = await office.another({
      observer: {
        requestQueued: () => caller.getStore(),
        batchCommitted: ({ origins }) => served.push([...origins]),
      },
    });
    const request = { ...rfa, dimensions: { ORG: 'NAMED', DISCIPLINE: 'STR' } };
    const names = ['a', 'b', 'c'];
    await Promise.all([
      ...names.map((name) => caller.run(name, () => numbering.issue(request))),
      numbering.issue(request),
    ]);
    expect(served.flat()).toHaveLength(names.length);
    expect(new Set(served.flat())).toEqual(new Set(names));
  });

  test('an observer that throws when a request is queued loses no number', async () => {
    const served: unknown[] = [];
    const numbering = await office.another({
      observer: {
        requestQueued: () => {
          throw new Error('broken');
        },
        batchCommitted: ({ origins }) => served.push(...origins),
      },
    });
    await numbering.issue({ ...rfa, dimensions: { ORG: 'NAMELESS', DISCIPLINE: 'STR' } });
    expect(served).toEqual([]);
  });

  test('batches, waits for locks and guards are reported as events', () => {
    expect(log.count('batchCommitted')).toBeGreaterThan(0);
    expect(log.count('lockWaited') > 0).toBe(lock === 'always');
    expect(log.last('batchCommitted')).toMatchObject({ guard, retryCount: 0 });
  });

  test('the ledger is gapless after all of this', async () => {
    expect(await assertGapless(office.pool)).toBeGreaterThan(3000);
    expect(await office.numbering.reconcile()).toEqual([]);
  });
});
