import { InvalidRequestError, NumberingError } from '../contract/numbering-error.js';
import type { ImportedNumber, ImportProblem, ImportRequest } from '../contract/requests.js';
import type { RequestResolver } from '../request/request-resolver.js';
import type { ResolvedRequest } from '../request/resolved-request.js';
import { inParallel } from '../series/parallel.js';
import type { LoadedSpace, SeriesCatalog } from '../series/series-catalog.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { type KnownNumber, toImported } from './record-numbers.js';
import { inTurns } from './turns.js';

/** A row that can be stored, if its sequence is free. */
export interface CheckedRow {
  readonly index: number;
  readonly resolved: ResolvedRequest;
  readonly known: KnownNumber;
}

export const duplicate = (row: number | undefined, message: string): ImportProblem => {
  return { row, code: 'DUPLICATE', message };
};

interface RowOptions {
  readonly catalog: SeriesCatalog;
  readonly resolver: RequestResolver;
  readonly call: DatabaseCall;
  /** Where problems of single rows are added. */
  readonly problems: ImportProblem[];
}

/** Rows of one counter and date are resolved once, several at a time, by the rules of now: under others none could be stored. */
export async function checkImportRows(
  { space, rows }: ImportRequest,
  { all, formats }: LoadedSpace,
  { catalog, resolver, problems, call: { deadline } }: RowOptions,
): Promise<CheckedRow[]> {
  const keys: string[] = [];
  const named = new Set<string>();
  const outcomes = new Map<string, { row: ImportedNumber; resolved?: ResolvedRequest; error?: unknown }>();
  await inTurns(rows, (row, index) => {
    const { series, dimensions, fields, date } = row;
    const key = JSON.stringify([series, dimensions, fields, date]);
    keys[index] = key;
    named.add(series);
    if (!outcomes.has(key)) outcomes.set(key, { row });
  });
  const revisions = new Map(all.map(({ series, revision }) => [series, revision]));
  await inParallel(named, async (series) => {
    const known = catalog.entries.get(`${space}\n${series}`);
    if (known && known.series.revision !== revisions.get(series))
      await catalog.reload(space, series, deadline);
  });
  await inParallel(outcomes.values(), async (outcome) => {
    try {
      if (outcome.row.date === undefined)
        throw new InvalidRequestError('date', 'is required; give the date of the number');
      outcome.resolved = await resolver.resolve({ ...outcome.row, space }, { anyPeriod: true, deadline });
    } catch (error) {
      // A row is not at fault if a store or the directory did not reply.
      if (!(error instanceof NumberingError) || error.retryable) throw error;
      outcome.error = error;
    }
  });
  const checked: CheckedRow[] = [];
  await inTurns(rows, (row, index) => {
    const { resolved, error } = outcomes.get(keys[index] ?? '') ?? {};
    try {
      if (!resolved) throw error;
      checked.push({ index, resolved, known: toImported(row, resolved, formats) });
    } catch (problem) {
      if (!(problem instanceof NumberingError)) throw problem;
      problems.push({ row: index, code: problem.code, message: problem.message });
    }
  });
  return checked;
}
