import type { SqlSession } from '@solegate/postgres-infra';
import { checkOptionalText, checkText } from '../contract/checks.js';
import { BusyError, InvalidRequestError } from '../contract/numbering-error.js';
import type { ImportProblem, ImportReport, ImportRequest } from '../contract/requests.js';
import { newBatchId } from '../draw/commit-batch.js';
import type { Columns } from '../draw/draw-statement.js';
import type { OpenedCounter } from '../issue/counter-floors.js';
import type { ExpectedCommits } from '../issue/expected-commits.js';
import type { RequestResolver } from '../request/request-resolver.js';
import { counterName, type ResolvedRequest } from '../request/resolved-request.js';
import {
  type LoadedSpace,
  loadSpace,
  lockLoadedSpace,
  type SeriesCatalog,
  type SpaceOptions,
} from '../series/series-catalog.js';
import { SEVERAL_WAIT_MS } from '../sql/functions/open-counters.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { type CheckedRow, checkImportRows, duplicate } from './import-rows.js';
import { type KnownNumber, lockAddresses, recordNumbers, runUnlessTaken, toKnown } from './record-numbers.js';
import { inTurns, literalsInTurns } from './turns.js';

/** Most problems that are reported; all are counted. */
const PROBLEM_MAX = 100;
const ROW_MAX = 1_000_000;
/** Most holes that one import records; more indicate a wrong sequence. */
const HOLE_MAX = 100_000;

const wantedColumns = { numbers: 'text', rows: 'integer', ids: 'bigint' } as const satisfies Columns;
const SELECT_TAKEN = `
SELECT w.row FROM unnest($2::text[], $3::integer[]) AS w (number, row)
JOIN document_numbers n ON n.space = $1 AND n.number = w.number
UNION
SELECT w.row FROM unnest($4::bigint[], $3::integer[]) AS w (id, row)
JOIN document_numbers n ON n.id = w.id
ORDER BY 1`;

export interface ImportOptions extends SpaceOptions {
  readonly catalog: SeriesCatalog;
  readonly resolver: RequestResolver;
  readonly commits: ExpectedCommits | undefined;
}

interface ImportedCounter {
  readonly address: ResolvedRequest;
  readonly counter: OpenedCounter;
  readonly raiseTo: number;
  /** Its rows, and the numbers that are missing between them. */
  readonly numbers: readonly KnownNumber[];
  readonly holeCount: number;
}

/** An import in progress, and its problems. */
interface Import extends Pick<ImportRequest, 'space' | 'actor' | 'reason' | 'holes'> {
  readonly loaded: LoadedSpace;
  readonly rows: readonly CheckedRow[];
  readonly problems: ImportProblem[];
}

/**
 * Imports the numbers of another system in one transaction, all or none. Rows are checked first: codes and dates by the
 * rules for issuing, sequences against the counter, texts against the formats, so that no number issued later can
 * collide with an imported one; the space is locked, so that none is saved meanwhile. Counters are locked in id order, rise
 * to the highest sequence and never fall.
 *
 * @throws InvalidRequestError, UnknownSeriesError; BusyError after a change; problems of single rows are in the report
 */
export async function importNumbers(request: ImportRequest, options: ImportOptions): Promise<ImportReport> {
  const space = checkText('space', request.space, 100);
  const actor = checkText('actor', request.actor, 200);
  const reason = checkOptionalText('reason', request.reason, 1000);
  const rowCount = request.rows.length;
  if (rowCount === 0 || rowCount > ROW_MAX)
    throw new InvalidRequestError('rows', `must have 1 to ${ROW_MAX} rows`);
  const { holes = 'refuse', dryRun: isDry = false } = request;
  const rowProblems: ImportProblem[] = [];
  const loaded = await loadSpace(space, options);
  const rows = await checkImportRows(request, loaded, { ...options, problems: rowProblems });
  const facts = { space, actor, ...(reason === undefined ? {} : { reason }), loaded, rows, holes };
  return options.call.lockingSeveral(
    async (session) => {
      const problems = [...rowProblems];
      const importing: Import = { ...facts, problems };
      const counters = await lockCounters(session, importing, options.call);
      if (problems.length === 0) await findTaken(session, importing);
      if (problems.length === 0 && !isDry) {
        const taken = await runUnlessTaken(session, () => store(session, importing, counters));
        if (taken) problems.push(duplicate(undefined, 'a number is already in the ledger'));
        else await inTurns(counters, ({ address, raiseTo }) => options.commits?.expect(address, raiseTo));
      }
      const holeCount = counters.reduce((sum, one) => sum + one.holeCount, 0);
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
  await inTurns(importing.rows, (row) => {
    const rows = byCounter.get(row.resolved.key);
    if (rows) rows.push(row);
    else byCounter.set(row.resolved.key, [row]);
  });
  const addresses = [...byCounter.values()].flatMap(([row]) => (row ? [row.resolved] : []));
  const counters: ImportedCounter[] = [];
  await lockLoadedSpace(session, importing.space, importing.loaded);
  for (const counter of await lockAddresses(session, addresses, call.deadline.atMost(SEVERAL_WAIT_MS))) {
    const rows = byCounter.get(counter.key) ?? [];
    const [row] = rows;
    if (!row) continue;
    // The rules were changed after the rows were checked.
    if (counter.revision !== row.resolved.series.revision) throw new BusyError();
    const checked = await checkSequences(counter, rows, importing);
    counters.push({ address: row.resolved, counter, ...checked });
  }
  return counters;
}

/** Determines how far the counter rises, and which numbers are missing below. */
async function checkSequences(
  counter: OpenedCounter,
  rows: readonly CheckedRow[],
  { holes, problems }: Import,
): Promise<Pick<ImportedCounter, 'raiseTo' | 'numbers' | 'holeCount'>> {
  const bySequence = new Map<number, CheckedRow>();
  await inTurns(rows, (row) => {
    const { sequence } = row.known;
    if (sequence > counter.last && !bySequence.has(sequence)) bySequence.set(sequence, row);
    else problems.push(duplicate(row.index, `sequence ${sequence} is in the ledger or in another row`));
  });
  const numbers: KnownNumber[] = [];
  const reason = 'skipped: missing in the import';
  let last = counter.last;
  let holeCount = 0;
  const filled = function* (): Iterable<KnownNumber> {
    // Sorted as numbers by the engine, which needs no call for each comparison.
    for (const sequence of Float64Array.from(bySequence.keys()).sort()) {
      const row = bySequence.get(sequence);
      if (!row) continue;
      const missingCount = sequence - last - 1;
      if (missingCount > 0 && (holes === 'refuse' || holeCount + missingCount > HOLE_MAX)) {
        const missing = missingCount === 1 ? `${last + 1} is` : `${last + 1} to ${sequence - 1} are`;
        problems.push({ row: undefined, code: 'HOLE', message: `${missing} missing before ${sequence}` });
      } else {
        for (let missing = last + 1; missing < sequence; missing += 1)
          yield toKnown(row.resolved, { sequence: missing, status: 'cancelled', reason });
        holeCount += missingCount;
      }
      yield row.known;
      last = sequence;
    }
  };
  await inTurns(filled(), (number) => numbers.push(number));
  return { raiseTo: last, numbers, holeCount };
}

async function store(
  session: SqlSession,
  { actor, reason }: Import,
  counters: readonly ImportedCounter[],
): Promise<void> {
  const batch = newBatchId();
  for (const { address, counter, numbers } of counters) {
    const { counterId } = counter;
    const what = { event: 'numbers_imported', counterId, address, actor, reason, batch, numbers } as const;
    await recordNumbers(session, what);
  }
}

/** Finds numbers and ids that are already in the ledger, and numbers that are in two rows. */
async function findTaken(session: SqlSession, { space, rows, problems }: Import): Promise<void> {
  const toWanted = ({ index, known }: CheckedRow) => ({ numbers: known.number, rows: index, ids: known.id });
  const values = [space, ...(await literalsInTurns(rows, toWanted, wantedColumns))];
  const taken = await session.query({ text: SELECT_TAKEN, values });
  await inTurns(taken.rows as { row: number }[], ({ row }) => {
    problems.push(duplicate(row, 'its number or id is already in the ledger'));
  });
  const numbers = new Set<string>();
  await inTurns(rows, ({ index, known }) => {
    if (numbers.has(known.number))
      problems.push(duplicate(index, `"${known.number}" is also in another row`));
    numbers.add(known.number);
  });
}
