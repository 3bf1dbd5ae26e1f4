import type { SqlSession } from '@solegate/postgres-infra';
import { checkOptionalText, checkText } from '../contract/checks.js';
import { BusyError, InvalidRequestError, NumberingError } from '../contract/numbering-error.js';
import type { ImportProblem, ImportReport, ImportRequest } from '../contract/requests.js';
import { newBatchId } from '../draw/commit-batch.js';
import type { SeriesFormat } from '../format/read-number.js';
import type { OpenedCounter } from '../issue/counter-floors.js';
import type { RequestResolver } from '../request/request-resolver.js';
import { counterName, type ResolvedRequest } from '../request/resolved-request.js';
import { loadSpaceFormats, type SpaceOptions } from '../series/series-catalog.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import {
  type KnownNumber,
  lockAddresses,
  recordNumbers,
  runUnlessTaken,
  toImported,
  toKnown,
} from './record-numbers.js';

/** Most problems that are reported; all are counted. */
const PROBLEM_MAX = 100;
const ROW_MAX = 1_000_000;
/** Most holes that one import records; more indicate a wrong sequence. */
const HOLE_MAX = 100_000;

const SELECT_TAKEN = `
SELECT w.row FROM unnest($2::text[], $3::int[]) AS w (number, row)
JOIN document_numbers n ON n.space = $1 AND n.number = w.number
UNION
SELECT w.row FROM unnest($4::bigint[], $3::int[]) AS w (id, row)
JOIN document_numbers n ON n.id = w.id
ORDER BY 1`;

export interface ImportOptions extends SpaceOptions {
  readonly resolver: RequestResolver;
}

interface ImportedCounter {
  readonly address: ResolvedRequest;
  readonly counter: OpenedCounter;
  readonly rows: readonly CheckedRow[];
  readonly raiseTo: number;
  readonly holes: readonly KnownNumber[];
}

/** An import in progress, and its problems. */
interface Import extends Pick<ImportRequest, 'space' | 'actor' | 'reason' | 'holes'> {
  readonly rows: readonly CheckedRow[];
  readonly problems: ImportProblem[];
}

/**
 * Imports the numbers of another system in one transaction, all or none. Rows are checked first: codes and dates by the
 * rules for issuing, sequences against the counter, texts against the formats, so that no number issued later can
 * collide with an imported one. Counters are locked in id order, rise to the highest sequence and never fall.
 *
 * @throws InvalidRequestError, UnknownSeriesError; problems of single rows are in the report
 */
export async function importNumbers(request: ImportRequest, options: ImportOptions): Promise<ImportReport> {
  const space = checkText('space', request.space, 100);
  const actor = checkText('actor', request.actor, 200);
  const reason = checkOptionalText('reason', request.reason, 1000);
  const rowCount = request.rows.length;
  if (rowCount === 0 || rowCount > ROW_MAX)
    throw new InvalidRequestError('rows', `must have 1 to ${ROW_MAX} rows`);
  const { holes = 'refuse', dryRun: isDry = false } = request;
  const problems: ImportProblem[] = [];
  const formats = await loadSpaceFormats(space, options);
  const rows = await checkImportRows(request, formats, { resolver: options.resolver, problems });
  const importing: Import = {
    space,
    actor,
    ...(reason === undefined ? {} : { reason }),
    rows,
    holes,
    problems,
  };
  return options.call.transaction(
    async (session) => {
      const counters = await lockCounters(session, importing, options.call);
      if (problems.length === 0) await findTaken(session, importing);
      if (problems.length === 0 && !isDry) {
        const isStored = await runUnlessTaken(session, () => store(session, importing, counters));
        if (!isStored) problems.push(problem(undefined, 'DUPLICATE', 'a number is already in the ledger'));
      }
      const holeCount = counters.reduce((sum, one) => sum + one.holes.length, 0);
      return {
        imported: problems.length === 0 && !isDry,
        rowCount,
        recordedHoleCount: problems.length === 0 ? holeCount : 0,
        problems: problems.slice(0, PROBLEM_MAX),
        problemCount: problems.length,
        counters: counters.map(({ address, counter, raiseTo }) => {
          return { counter: counterName(address), lastNumber: counter.last, raisedTo: raiseTo };
        }),
      };
    },
    { keeps: ({ imported }) => imported },
  );
}

async function lockCounters(
  session: SqlSession,
  importing: Import,
  call: DatabaseCall,
): Promise<ImportedCounter[]> {
  const byCounter = new Map<string, CheckedRow[]>();
  for (const row of importing.rows) {
    const rows = byCounter.get(row.resolved.key);
    if (rows) rows.push(row);
    else byCounter.set(row.resolved.key, [row]);
  }
  const addresses = [...byCounter.values()].flatMap(([row]) => (row ? [row.resolved] : []));
  const counters: ImportedCounter[] = [];
  for (const counter of await lockAddresses(session, addresses, call)) {
    const rows = byCounter.get(counter.key) ?? [];
    const [row] = rows;
    if (!row) continue;
    // The rules were changed after the rows were checked.
    if (counter.revision !== row.resolved.series.revision) throw new BusyError();
    counters.push({ address: row.resolved, counter, rows, ...checkSequences(counter, rows, importing) });
  }
  return counters;
}

/** Determines how far the counter rises, and which numbers are missing below. */
function checkSequences(
  counter: OpenedCounter,
  rows: readonly CheckedRow[],
  { holes, problems }: Import,
): Pick<ImportedCounter, 'raiseTo' | 'holes'> {
  const sorted = [...rows].sort((a, b) => a.known.sequence - b.known.sequence);
  const recorded: KnownNumber[] = [];
  const reason = 'skipped: missing in the import';
  let last = counter.last;
  for (const { index, known, resolved } of sorted) {
    const { sequence } = known;
    if (sequence <= last) {
      problems.push(problem(index, 'DUPLICATE', `sequence ${sequence} is in the ledger or in another row`));
      continue;
    }
    const holeCount = sequence - last - 1;
    if (holeCount > 0 && (holes === 'refuse' || recorded.length + holeCount > HOLE_MAX)) {
      problems.push(
        problem(undefined, 'HOLE', `${last + 1} to ${sequence - 1} are missing before row ${index}`),
      );
    } else {
      for (let missing = last + 1; missing < sequence; missing += 1)
        recorded.push(toKnown(resolved, { sequence: missing, status: 'cancelled', reason }));
    }
    last = sequence;
  }
  return { raiseTo: last, holes: recorded };
}

async function store(
  session: SqlSession,
  { actor, reason }: Import,
  counters: readonly ImportedCounter[],
): Promise<void> {
  const batch = newBatchId();
  for (const { address, counter, rows, holes } of counters) {
    const { counterId } = counter;
    const numbers = [...rows.map(({ known }) => known), ...holes];
    const what = { event: 'numbers_imported', counterId, address, actor, reason, batch, numbers } as const;
    await recordNumbers(session, what);
  }
}

/** Finds numbers and ids that are already in the ledger, and numbers that are in two rows. */
async function findTaken(session: SqlSession, { space, rows, problems }: Import): Promise<void> {
  const texts = rows.map(({ known }) => known.number);
  const ids = rows.map(({ known }) => known.id ?? null);
  const values = [space, texts, rows.map(({ index }) => index), ids];
  const taken = await session.query({ text: SELECT_TAKEN, values });
  for (const { row } of taken.rows as { row: number }[]) {
    problems.push(problem(row, 'DUPLICATE', 'its number or id is already in the ledger'));
  }
  const numbers = new Set<string>();
  for (const { index, known } of rows) {
    if (numbers.has(known.number))
      problems.push(problem(index, 'DUPLICATE', `"${known.number}" is also in another row`));
    numbers.add(known.number);
  }
}

/** A row that can be stored, if its sequence is free. */
interface CheckedRow {
  readonly index: number;
  readonly resolved: ResolvedRequest;
  readonly known: KnownNumber;
}

const problem = (row: number | undefined, code: string, message: string): ImportProblem => {
  return { row, code, message };
};

/** Rows of one counter and date are resolved once. */
async function checkImportRows(
  request: ImportRequest,
  formats: readonly SeriesFormat[],
  { resolver, problems }: { readonly resolver: RequestResolver; readonly problems: ImportProblem[] },
): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = [];
  const known = new Map<string, ResolvedRequest>();
  for (const [index, row] of request.rows.entries()) {
    try {
      if (row.date === undefined)
        throw new InvalidRequestError('date', 'is required; give the date of the number');
      const key = JSON.stringify([row.series, row.dimensions, row.fields, row.date]);
      const address = { ...row, space: request.space };
      const resolved = known.get(key) ?? (await resolver.resolve(address, { anyPeriod: true }));
      known.set(key, resolved);
      checked.push({ index, resolved, known: toImported(row, resolved, formats) });
    } catch (error) {
      if (!(error instanceof NumberingError)) throw error;
      problems.push(problem(index, error.code, error.message));
    }
  }
  return checked;
}
