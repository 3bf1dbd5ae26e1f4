import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newBatchId } from '../src/draw/commit-batch.js';
import type { Batch, Draft, WantedNumbers } from '../src/draw/draft.js';
import { draw } from '../src/draw/draw.js';
import { assertGapless, type Office, openOffice, rfa, withSeries } from './number-office.js';

/** The draw by itself: values in, values out, without a queue. */
let office: Office;
let drafts: Record<'A' | 'B' | 'C', Draft>;

const facts = { actor: 'somchai', document: undefined, reason: undefined, id: undefined } as const;
const noKey = { key: undefined, fingerprint: undefined, reservation: undefined };

beforeAll(async () => {
  office = await openOffice();
  await withSeries(office.numbering, { dimensions: ['ORG'], template: '{ORG}-{TYPE}-{YEAR}-{SEQ:4}' });
  const draftOf = async (ORG: string): Promise<Draft> => {
    const { counterId, period } = await office.numbering.issue({ ...rfa, dimensions: { ORG } });
    const { rows } = await office.pool.query('SELECT revision::int FROM document_number_series');
    const resolved = {
      series: { space: 'P1', series: 'RFA', revision: rows[0].revision },
      dimensions: { ORG },
      period,
      date: '2026-06-15',
      ceiling: 9999,
      affixes: { prefix: `${ORG}-RFA-X-`, suffix: '' },
      format: {
        width: 4,
        facts: { version: 1 },
        render: ({ prefix }: { prefix: string }, sequence: number) =>
          `${prefix}${String(sequence).padStart(4, '0')}`,
      },
    } as unknown as WantedNumbers['resolved'];
    const wanted = (count: number) => ({ resolved, facts: { ...facts, ...noKey }, count, waitedMs: 7 });
    return { counterId, floor: 0, expected: undefined, retryCount: 0, items: [wanted(2), wanted(1)] };
  };
  drafts = { A: await draftOf('A'), B: await draftOf('B'), C: await draftOf('C') };
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const batchOf = (wanted: readonly Draft[], rowWaitMs?: number): Batch => {
  return { id: newBatchId(), drafts: wanted, server: undefined, rowWaitMs };
};

const numbersOf = (replies: Awaited<ReturnType<typeof draw>>) =>
  replies.map(({ answers }) =>
    answers.map((answer) =>
      answer && answer.kind !== 'FAILED' ? answer.drawn.numbers.map(({ number }) => number) : undefined,
    ),
  );

test('a batch over several counters is answered draft by draft, and the ledger has the same texts', async () => {
  const replies = await draw(office.pool, batchOf([drafts.C, drafts.A]));
  expect(replies.map(({ verdict, numberCount }) => [verdict, numberCount])).toEqual([
    ['GRANTED', 3],
    ['GRANTED', 3],
  ]);
  const numbers = numbersOf(replies);
  expect(numbers[0]).toEqual([['C-RFA-X-0002', 'C-RFA-X-0003'], ['C-RFA-X-0004']]);
  const { rows } = await office.pool.query(
    "SELECT number FROM document_numbers WHERE number LIKE '%-X-%' ORDER BY batch_position",
  );
  expect(rows.map(({ number }) => number)).toEqual(numbers.flat(2));
  await assertGapless(office.database.pool);
});

test('each draft has its own verdict: a locked counter is skipped, a full one refused, the others are drawn', async () => {
  const holder = await office.database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM document_number_counters WHERE id = $1 FOR UPDATE', [drafts.A.counterId]);
  const [first, second] = drafts.B.items;
  const full = { ...first, resolved: { ...first.resolved, ceiling: 3 } };
  const replies = await draw(
    office.pool,
    batchOf([drafts.A, { ...drafts.B, items: [full, second ?? full] }, drafts.C]),
  );
  expect(replies.map(({ verdict }) => verdict)).toEqual(['SKIPPED', 'EXHAUSTED', 'GRANTED']);
  expect(replies[0]).toMatchObject({ position: undefined, answers: [undefined, undefined] });
  expect(replies[1]).toMatchObject({ position: { last: 1 }, numberCount: 0 });
  await expect(draw(office.pool, batchOf([drafts.A], 50))).rejects.toMatchObject({ code: '55P03' });
  await holder.query('ROLLBACK');
  holder.release();
});

test('a key that has numbers already draws nothing for the batch, and its ledger rows are the answer', async () => {
  const [item] = drafts.B.items;
  const keyed = { ...item, count: 1, facts: { ...item.facts, key: 'k', fingerprint: 'f' } };
  const [issued] = await draw(office.pool, batchOf([{ ...drafts.B, items: [keyed] }], 1000));
  const again = await draw(office.pool, batchOf([{ ...drafts.B, items: [item, keyed] }, drafts.C], 1000));
  expect(again.map(({ verdict, numberCount }) => [verdict, numberCount])).toEqual([
    ['REPLAYED', 0],
    ['REPLAYED', 0],
  ]);
  expect(numbersOf(again)[0]?.[1]).toEqual(numbersOf(issued ? [issued] : [])[0]?.[0]);
  expect(again[0]?.answers[0]).toBeUndefined();
});

test('batches are named in the order of time', () => {
  const ids = [1, 2, 1_700_000_000_000, 1_700_000_000_001].map((nowMs) => newBatchId(nowMs));
  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
