import { randomUUID } from 'node:crypto';
import { PostgresFailure, type SqlSession } from '@solegate/postgres-infra';
import { checkOptionalText, checkText } from '../contract/check-request.js';
import type { ImportReport, ImportRequest } from '../contract/number-life.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import { BusyError } from '../contract/store-error.js';
import { counterKey, openCounters } from '../draw/open-counters.js';
import type { TokenRegistry } from '../format/token.js';
import type { RequestResolver } from '../request/request-resolver.js';
import { type CounterAddress, counterName } from '../request/resolved-request.js';
import { appendEvents } from '../sql/append-event.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { type CheckedRow, checkImportRows, ImportProblems, loadSpaceFormats } from './import-rows.js';
import { type KnownNumber, type LockedCounter, lockCounterRow, recordNumbers } from './record-numbers.js';

const rowMax = 1_000_000;
/** Holes that one import records; more are a sign of a wrong sequence. */
const holeMax = 100_000;

const selectTaken = `
SELECT w.row FROM unnest($2::text[], $3::int[]) AS w (number, row)
JOIN document_numbers n ON n.space = $1 AND n.number = w.number
UNION
SELECT w.row FROM unnest($4::bigint[], $3::int[]) AS w (id, row)
JOIN document_numbers n ON n.id = w.id
ORDER BY 1`;

export interface ImportOptions {
  readonly call: DatabaseCall;
  readonly resolver: RequestResolver;
  readonly registry: TokenRegistry;
}

interface ImportedCounter {
  readonly address: CounterAddress;
  readonly counterId: string;
  readonly counter: LockedCounter;
  readonly rows: readonly CheckedRow[];
  readonly raiseTo: number;
  readonly holes: readonly KnownNumber[];
}

/**
 * Takes over numbers of another system, all in one transaction or none. Rows are checked first: their codes and dates by the
 * rules of issuing, their sequences against the counter, their texts against the formats, so that no number that will be
 * issued later can meet an imported one. Counters are locked in id order, rise to the highest sequence and never fall.
 *
 * @throws InvalidRequestError, UnknownSeriesError; everything about single rows is in the report
 */
export async function importNumbers(request: ImportRequest, options: ImportOptions): Promise<ImportReport> {
  const space = checkText('space', request.space, 100);
  const actor = checkText('actor', request.actor, 200);
  const reason = checkOptionalText('reason', request.reason, 1000);
  const rowCount = request.rows.length;
  if (rowCount === 0 || rowCount > rowMax) {
    throw new InvalidRequestError('rows', `give 1 to ${rowMax} rows`);
  }
  const problems = new ImportProblems();
  const formats = await loadSpaceFormats(options.call.reading, space, options);
  const rows = await checkImportRows(request, { resolver: options.resolver, formats, problems });
  const storing = { space, actor, reason, rows, isDry: request.dryRun === true };
  return options.call.transaction(
    async (session) => {
      const counters = await openImported(session, { rows, holes: request.holes ?? 'refuse', problems });
      if (problems.count === 0) await storeAll(session, { ...storing, counters, problems });
      return toReport(rowCount, counters, { problems, isImported: problems.count === 0 && !storing.isDry });
    },
    { keeps: ({ imported }) => imported },
  );
}

interface StoringAll extends Storing {
  readonly rows: readonly CheckedRow[];
  readonly problems: ImportProblems;
  readonly isDry: boolean;
}

async function storeAll(session: SqlSession, storing: StoringAll): Promise<void> {
  const isStored = !storing.isDry && (await store(session, storing));
  if (!isStored) await findTaken(session, storing);
}

async function findTaken(session: SqlSession, { space, rows, problems, isDry }: StoringAll): Promise<void> {
  const columns = [
    rows.map(({ known }) => known.number),
    rows.map(({ index }) => index),
    rows.map(({ known }) => known.id ?? null),
  ];
  const taken = await session.query({ text: selectTaken, values: [space, ...columns] });
  for (const { row } of taken.rows as { row: number }[]) {
    problems.add(row, 'DUPLICATE', 'its number or id is in the ledger already');
  }
  const numbers = new Set<string>();
  for (const { index, known } of rows) {
    if (numbers.has(known.number)) problems.add(index, 'DUPLICATE', `"${known.number}" is in another row`);
    numbers.add(known.number);
  }
  if (problems.count === 0 && !isDry)
    problems.add(undefined, 'DUPLICATE', 'a number is in the ledger already');
}

interface Ending {
  readonly problems: ImportProblems;
  readonly isImported: boolean;
}

function toReport(
  rowCount: number,
  counters: readonly ImportedCounter[],
  { problems, isImported }: Ending,
): ImportReport {
  const holeCount = counters.reduce((sum, { holes }) => sum + holes.length, 0);
  return {
    imported: isImported,
    rowCount,
    recordedHoleCount: isImported ? holeCount : 0,
    problems: problems.first,
    problemCount: problems.count,
    counters: counters.map(({ address, counter, raiseTo }) => ({
      counter: counterName(address),
      lastNumber: counter.last,
      raisedTo: raiseTo,
    })),
  };
}

interface Opening {
  readonly rows: readonly CheckedRow[];
  readonly holes: 'refuse' | 'record';
  readonly problems: ImportProblems;
}

async function openImported(session: SqlSession, opening: Opening): Promise<ImportedCounter[]> {
  const byCounter = new Map<string, CheckedRow[]>();
  for (const row of opening.rows) {
    const key = counterKey(row.resolved);
    const rows = byCounter.get(key);
    if (rows) rows.push(row);
    else byCounter.set(key, [row]);
  }
  const addresses = [...byCounter.values()].flatMap(([row]) => (row ? [row.resolved] : []));
  const opened = [...(await openCounters(session, addresses)).counters];
  opened.sort(([, a], [, b]) => (BigInt(a.counterId) < BigInt(b.counterId) ? -1 : 1));
  const counters: ImportedCounter[] = [];
  for (const [key, { counterId }] of opened) {
    const rows = byCounter.get(key) ?? [];
    const [row] = rows;
    if (!row) continue;
    const counter = await lockCounterRow(session, counterId);
    // The rules were changed after the rows were checked.
    if (counter.revision !== row.resolved.series.revision) throw new BusyError();
    const { raiseTo, holes } = checkSequences({ ...opening, counter, rows });
    counters.push({ address: row.resolved, counterId, counter, rows, raiseTo, holes });
  }
  return counters;
}

interface Sequences extends Opening {
  readonly counter: LockedCounter;
}

function checkSequences({ counter, rows, holes, problems }: Sequences): {
  raiseTo: number;
  holes: KnownNumber[];
} {
  const sorted = [...rows].sort((a, b) => a.sequence - b.sequence);
  const recorded: KnownNumber[] = [];
  let last = counter.last;
  for (const row of sorted) {
    if (row.sequence <= last) {
      problems.add(row.index, 'DUPLICATE', `sequence ${row.sequence} is in the ledger or in another row`);
      continue;
    }
    const holeCount = row.sequence - last - 1;
    if (holeCount > 0 && (holes === 'refuse' || recorded.length + holeCount > holeMax)) {
      problems.add(
        undefined,
        'HOLE',
        `${last + 1} to ${row.sequence - 1} are missing before row ${row.index}`,
      );
    } else {
      for (let sequence = last + 1; sequence < row.sequence; sequence += 1)
        recorded.push(toHole(row, sequence));
    }
    last = row.sequence;
  }
  return { raiseTo: last, holes: recorded };
}

function toHole({ resolved }: CheckedRow, sequence: number): KnownNumber {
  return {
    sequence,
    number: resolved.format.render(resolved.affixes, sequence),
    status: 'cancelled',
    formatVersion: resolved.format.facts.version,
    date: resolved.date,
    reason: 'skipped: missing in the import',
  };
}

interface Storing {
  readonly space: string;
  readonly counters: readonly ImportedCounter[];
  readonly actor: string;
  readonly reason: string | undefined;
}

/** False when a number or id is in the ledger already: everything is undone then, and the caller looks for which. */
async function store(session: SqlSession, { space, counters, actor, reason }: Storing): Promise<boolean> {
  const batch = randomUUID();
  await session.query({ text: 'SAVEPOINT doc_num_import', values: [] });
  try {
    for (const { address, counterId, rows, holes } of counters) {
      const numbers = [...rows.map((row) => row.known), ...holes];
      await recordNumbers(session, {
        counterId,
        space,
        period: address.period,
        actor,
        batch,
        numbers,
      });
    }
  } catch (error) {
    const isClash = error instanceof PostgresFailure && error.constraint !== undefined;
    if (!isClash || error.kind !== 'CONFLICT') throw error;
    await session.query({ text: 'ROLLBACK TO SAVEPOINT doc_num_import', values: [] });
    return false;
  }
  await appendEvents(
    session,
    counters.map(({ counterId, counter, raiseTo, rows, holes }) => ({
      type: 'numbers_imported' as const,
      space,
      counter_id: counterId,
      actor,
      reason,
      facts: {
        batch,
        rowCount: rows.length,
        holeCount: holes.length,
        lastNumber: counter.last,
        raisedTo: raiseTo,
      },
    })),
  );
  return true;
}
