import { expect, test } from '@jest/globals';
import { costOf } from './big-ledger.js';
import { type Office, openOffice, unguarded, withSeries } from './number-office.js';

test('a look in a space of 100,000 counters and 1,000,000 numbers reads what it returns', async () => {
  await using big = await openOffice({ requestTimeoutMs: 600_000 });
  await withSeries(big.numbering);
  await withSeries(big.numbering, { series: 'MANY', template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:5}' });
  await fillSpace(big);
  const first = await costOf(big, async (numbering) => {
    const feed = await numbering.feed({ space: 'P1', series: 'RFA' });
    expect(feed.behindCount).toBe(5000);
    await feed.return?.();
  });
  // Ten pages: after five, PostgreSQL may plan a prepared statement once for all values.
  const ten = await costOf(big, async (numbering) => {
    for (let reader = 0; reader < 2; reader += 1) {
      await using feed = await numbering.feed({ space: 'P1', series: 'RFA' });
      for (let count = 0; count < 5000; ) count += (await feed.take(1000)).length;
    }
  });
  const ofPeriod = await costOf(big, async (numbering) => {
    const feed = await numbering.feed({ space: 'P1', series: 'MANY', period: '1999' });
    expect(feed.behindCount).toBe(0);
    await feed.return?.();
  });
  await expect(big.numbering.feed({ space: 'P1', series: 'MANY' })).rejects.toMatchObject({
    code: 'FEED_TOO_WIDE',
  });
  process.stdout.write(`buffers: ${JSON.stringify({ first, ten, ofPeriod })}\n`);
  expect(first.scanned).not.toContain('document_numbers');
  expect(first.scanned).not.toContain('document_number_counters');
  expect(new Set(ten.scanned)).toEqual(new Set(first.scanned));
  expect(ten.bufferCount).toBeLessThan(10 * 8000);
  // 500 counters and 1,000 numbers, which can all be on pages of their own.
  expect(first.bufferCount).toBeLessThan(8000);
  expect(ofPeriod.bufferCount).toBeLessThan(100);
}, 600_000);

/** RFA has 500 counters of ten numbers, MANY has 99,500 of ten. */
async function fillSpace({ pool }: Pick<Office, 'pool'>): Promise<void> {
  await unguarded(
    pool,
    `INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number)
    SELECT s.id, json_build_object('DISCIPLINE', 'STR', 'ORG', 'O' || i)::text, '2026', 1, 10
    FROM generate_series(1, 100000) i JOIN document_number_series s
      ON s.code = CASE WHEN i % 200 = 0 THEN 'RFA' ELSE 'MANY' END`,
  );
  await unguarded(
    pool,
    `INSERT INTO document_numbers (counter_id, sequence, space, number, period, status, business_date, actor, format_version)
    SELECT c.id, i, 'P1', concat_ws('-', c.id, i), '2026', 'issued', '2026-01-01', 'clerk', 1
    FROM generate_series(1, 10) i, document_number_counters c`,
  );
  await pool.query('CHECKPOINT');
  await pool.query('VACUUM ANALYZE');
}
