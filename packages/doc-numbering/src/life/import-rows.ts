import { checkId, checkOptionalText, checkText, checkWhole } from '../contract/check-request.js';
import { InvalidRequestError, NumberingError } from '../contract/numbering-error.js';
import type { ImportedNumber, ImportProblem, ImportRequest } from '../contract/requests.js';
import { sequenceMax } from '../format/compiled-format.js';
import { type NumberPlace, readAnother, type SeriesFormat } from '../format/read-number.js';
import type { RequestResolver } from '../request/request-resolver.js';
import type { ResolvedRequest } from '../request/resolved-request.js';
import { type KnownNumber, toKnown } from './record-numbers.js';

const PROBLEM_MAX = 100;

/** Collects what is wrong with an import: all of it is counted, the first hundred are reported. */
export class ImportProblems {
  readonly first: ImportProblem[] = [];
  count = 0;

  add(row: number | undefined, code: string, message: string): void {
    this.count += 1;
    if (this.first.length < PROBLEM_MAX) this.first.push({ row, code, message });
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

/** Rows of one counter and date are resolved once. */
export async function checkImportRows(request: ImportRequest, options: RowOptions): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = [];
  const known = new Map<string, ResolvedRequest>();
  for (const [index, row] of request.rows.entries()) {
    try {
      if (row.date === undefined)
        throw new InvalidRequestError('date', 'is missing; give the date of the number');
      const key = JSON.stringify([row.series, row.dimensions, row.fields, row.date]);
      const address = { ...row, space: request.space };
      const resolved = known.get(key) ?? (await options.resolver.resolve(address, { anyPeriod: true }));
      known.set(key, resolved);
      checked.push({ index, resolved, ...checkRow(row, resolved, options.formats) });
    } catch (error) {
      if (!(error instanceof NumberingError)) throw error;
      options.problems.add(index, error.code, error.message);
    }
  }
  return checked;
}

function checkRow(
  row: ImportedNumber,
  resolved: ResolvedRequest,
  formats: readonly SeriesFormat[],
): Pick<CheckedRow, 'sequence' | 'known'> {
  const { series, ceiling, date } = resolved;
  const sequence = checkWhole('sequence', row.sequence, [series.startAt, sequenceMax]);
  if (sequence > ceiling) {
    const problem = `is above ${ceiling}, the last of its format and series`;
    throw new InvalidRequestError('sequence', problem);
  }
  const printed = toKnown(resolved, { sequence, status: 'imported' });
  const number = row.number === undefined ? printed.number : checkText('number', row.number, 200);
  const isForeign = number !== printed.number;
  if (isForeign) checkForeignText(number, { ...resolved, seriesId: series.id, sequence }, formats);
  const document = checkOptionalText('document', row.document, 200);
  const formatVersion = isForeign ? undefined : printed.formatVersion;
  const known: KnownNumber = { ...printed, number, formatVersion, date, document, id: checkId('id', row.id) };
  return { sequence, known };
}

/** A text that a format prints for another counter or sequence would be in that number's way when its turn comes. */
function checkForeignText(number: string, place: NumberPlace, formats: readonly SeriesFormat[]): void {
  for (const printing of formats) {
    const read = readAnother(printing, number, place);
    if (!read) continue;
    const { series, format } = printing;
    const problem = `"${number}" is what "${format.facts.template}" of ${series.series} prints for sequence ${read.sequence}`;
    throw new InvalidRequestError('number', problem);
  }
}
