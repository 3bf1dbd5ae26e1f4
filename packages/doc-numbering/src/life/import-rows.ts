import type { SqlSession } from '@solegate/postgres-infra';
import { checkId, checkOptionalText, checkText, checkWhole } from '../contract/check-request.js';
import type { ImportedNumber, ImportProblem, ImportRequest } from '../contract/number-life.js';
import { InvalidRequestError, NumberingError } from '../contract/numbering-error.js';
import type { DocumentFormat, Series } from '../contract/series.js';
import { CompiledFormat, sequenceMax } from '../format/compiled-format.js';
import { readNumber, type SeriesFormat } from '../format/read-number.js';
import type { TokenRegistry } from '../format/token.js';
import type { RequestResolver } from '../request/request-resolver.js';
import type { ResolvedRequest } from '../request/resolved-request.js';
import { listSeries } from '../series/series-row.js';
import { listFormats } from '../series/space-formats.js';
import type { KnownNumber } from './record-numbers.js';

/** Every version of every format of a number space, newest first in each series. */
export async function loadSpaceFormats(
  session: SqlSession,
  space: string,
  { registry, resolver }: { registry: TokenRegistry; resolver: RequestResolver },
): Promise<SeriesFormat[]> {
  const all = await listSeries(session, { space });
  const formats = await listFormats(session, { space });
  const found: SeriesFormat[] = [];
  for (const series of all) {
    const fixedCodes = await resolver.fixedCodes(series);
    for (const { version, template, overflow, validFrom = '' } of formats.filter(isOf(series)).reverse()) {
      const format = new CompiledFormat({ version, template, overflow, validFrom }, registry);
      found.push({ series, format, fixedCodes });
    }
  }
  return found;
}

const isOf = (series: Series) => (format: DocumentFormat) => format.series === series.series;

const problemMax = 100;

/** Collects what is wrong with an import: all of it is counted, the first hundred are told. */
export class ImportProblems {
  readonly first: ImportProblem[] = [];
  count = 0;

  add(row: number | undefined, code: string, message: string): void {
    this.count += 1;
    if (this.first.length < problemMax) this.first.push({ row, code, message });
  }
}

/** A row that can be stored, if its sequence is free. */
export interface CheckedRow {
  readonly index: number;
  readonly sequence: number;
  readonly resolved: ResolvedRequest;
  readonly known: KnownNumber;
}

export interface RowOptions {
  readonly resolver: RequestResolver;
  /** Every format of the number space. */
  readonly formats: readonly SeriesFormat[];
  readonly problems: ImportProblems;
}

export async function checkImportRows(request: ImportRequest, options: RowOptions): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = [];
  const known = new Map<string, ResolvedRequest>();
  for (const [index, row] of request.rows.entries()) {
    try {
      const key = JSON.stringify([row.series, row.dimensions, row.fields, row.date]);
      const resolved = known.get(key) ?? (await resolveRow(request.space, row, options));
      known.set(key, resolved);
      checked.push(checkRow({ index, row, resolved }, options));
    } catch (error) {
      if (!(error instanceof NumberingError)) throw error;
      options.problems.add(index, error.code, error.message);
    }
  }
  return checked;
}

/** Rows of one counter and date are resolved once. */
async function resolveRow(
  space: string,
  row: ImportedNumber,
  { resolver }: RowOptions,
): Promise<ResolvedRequest> {
  if (row.date === undefined)
    throw new InvalidRequestError('date', 'is missing; give the date of the number');
  return resolver.resolve({ ...row, space }, { anyPeriod: true });
}

interface ResolvedRow {
  readonly index: number;
  readonly row: ImportedNumber;
  readonly resolved: ResolvedRequest;
}

function checkRow({ index, row, resolved }: ResolvedRow, options: RowOptions): CheckedRow {
  const sequence = checkWhole('sequence', row.sequence, [resolved.series.startAt, sequenceMax]);
  if (sequence > resolved.ceiling) {
    throw new InvalidRequestError(
      'sequence',
      `is above ${resolved.ceiling}, the last of its format and series`,
    );
  }
  const rendered = resolved.format.render(resolved.affixes, sequence);
  const number = row.number === undefined ? rendered : checkText('number', row.number, 200);
  if (number !== rendered) checkForeignText(number, { resolved, sequence }, options.formats);
  const document = checkOptionalText('document', row.document, 200);
  const known: KnownNumber = {
    sequence,
    number,
    status: 'imported',
    formatVersion: number === rendered ? resolved.format.facts.version : undefined,
    date: resolved.date,
    document,
    id: checkId('id', row.id),
  };
  return { index, sequence, resolved, known };
}

interface Meaning {
  readonly resolved: ResolvedRequest;
  readonly sequence: number;
}

/** A text that a format prints for another counter or sequence would be in that number's way when its turn comes. */
function checkForeignText(
  number: string,
  { resolved, sequence }: Meaning,
  formats: readonly SeriesFormat[],
): void {
  for (const known of formats) {
    const { series, format } = known;
    const read = readNumber(known, number);
    if (!read) continue;
    const isSameCounter =
      series.id === resolved.series.id &&
      (read.period ?? resolved.period) === resolved.period &&
      Object.entries(resolved.dimensions).every(([token, code]) => read.tokens[token] === code);
    if (isSameCounter && read.sequence === sequence) continue;
    throw new InvalidRequestError(
      'number',
      `"${number}" is what "${format.facts.template}" of ${series.series} prints for sequence ${read.sequence}`,
    );
  }
}
