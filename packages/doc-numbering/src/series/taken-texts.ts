import type { SqlSession } from '@solegate/postgres-infra';
import { AmbiguousFormatError } from '../contract/format-error.js';
import { readNumber, type SeriesFormat } from '../format/read-number.js';

/** Numbers of the ledger that no format has printed, page by page in the order of their texts. */
const SELECT_FOREIGN = `
SELECT n.number, n.sequence, n.period, c.series_id, c.dimensions, s.code
FROM document_numbers n
JOIN document_number_counters c ON c.id = n.counter_id
JOIN document_number_series s ON s.id = c.series_id
WHERE n.space = $1 AND n.format_version IS NULL AND n.number > $2
ORDER BY n.number
LIMIT 5000`;

interface ForeignRow {
  readonly number: string;
  readonly sequence: string;
  readonly period: string;
  readonly series_id: string;
  readonly dimensions: string;
  readonly code: string;
}

/**
 * Refuses a format that would one day print a text which the ledger has already, of an import: its counter could not go on
 * when that number's turn came.
 *
 * @throws AmbiguousFormatError
 */
export async function refuseTakenTexts(session: SqlSession, printing: SeriesFormat): Promise<void> {
  const { format, series } = printing;
  let after = '';
  for (;;) {
    const { rows } = await session.query({ text: SELECT_FOREIGN, values: [series.space, after] });
    const taken = (rows as ForeignRow[]).find((row) => isInTheWay(row, printing));
    if (taken) {
      throw new AmbiguousFormatError({
        template: format.facts.template,
        position: 0,
        example: taken.number,
        first: `a number of series ${series.series} to come`,
        second: `the import of ${taken.code}, sequence ${taken.sequence}`,
      });
    }
    const last = (rows as ForeignRow[]).at(-1);
    if (!last || rows.length < 5000) return;
    after = last.number;
  }
}

function isInTheWay(row: ForeignRow, printing: SeriesFormat): boolean {
  const read = readNumber(printing, row.number);
  if (!read) return false;
  const dimensions: Record<string, string> = JSON.parse(row.dimensions);
  const isItself =
    String(row.series_id) === printing.series.id &&
    (read.period ?? row.period) === row.period &&
    Object.entries(dimensions).every(([token, code]) => read.tokens[token] === code) &&
    read.sequence === Number(row.sequence);
  return !isItself;
}
