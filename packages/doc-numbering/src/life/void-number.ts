import type { SqlSession } from '@solegate/postgres-infra';
import { checkOptionalText, checkText } from '../contract/check-request.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { ReplaceRequest, VoidedNumber, VoidRequest } from '../contract/number-life.js';
import { InvalidRequestError, NumberNotFoundError, NumberStateError } from '../contract/numbering-error.js';
import { drawIn, type IssueInOptions } from '../issue/issue-in.js';
import { type LedgerRow, ledgerColumns, ledgerTables, toLedgerEntry } from '../ledger/list-numbers.js';
import { toIssueFacts } from '../request/issue-facts.js';
import { appendEvents } from '../sql/append-event.js';
import type { DatabaseCall } from '../sql/public-calls.js';

const lockEntry = `
SELECT ${ledgerColumns} FROM ${ledgerTables} WHERE n.space = $1 AND n.number = $2 FOR NO KEY UPDATE OF n`;

const selectEntry = `SELECT ${ledgerColumns} FROM ${ledgerTables} WHERE n.space = $1 AND n.number = $2`;

const voidEntry = `
UPDATE document_numbers SET status = 'void', reason = $3, replaced_by = $4
WHERE counter_id = $1::bigint AND sequence = $2::bigint`;

/**
 * Takes a number out of use: its row stays, with the reason and what replaced it. Repeating a step that succeeded gives
 * the same answer. @throws NumberNotFoundError, NumberStateError
 */
export function voidNumber(call: DatabaseCall, request: VoidRequest): Promise<VoidedNumber> {
  const replacedBy = checkOptionalText('replacedBy', request.replacedBy, 200);
  return call.transaction(async (session) => {
    const entry = await lock(session, request);
    if (replacedBy !== undefined) await find(session, request.space, replacedBy);
    return voidLocked(session, { entry, request, replacedBy });
  });
}

/**
 * Voids a number and issues another in its place, in one commit. Give the replacement a key: a repeat then finds both steps
 * done. The replacement is drawn last, so its counter is locked for as short as can be.
 */
export async function voidAndReplace(
  call: DatabaseCall,
  request: ReplaceRequest,
  options: IssueInOptions,
): Promise<VoidedNumber> {
  const { replacement } = request;
  if (replacement.space !== request.space) {
    throw new InvalidRequestError('replacement.space', 'is not the number space of the void number');
  }
  const facts = toIssueFacts(replacement, { count: 1, hasDocument: false });
  const resolved = await options.resolver.resolve(replacement);
  return call.transaction(async (session) => {
    const entry = await lock(session, request);
    if (entry.status !== 'void') refuseUnless(entry, ['issued', 'imported', 'manual']);
    const { number } = await drawIn({ call, session, request: replacement, facts, resolved }, options);
    return voidLocked(session, { entry, request, replacedBy: number });
  });
}

interface Voiding {
  readonly entry: LedgerEntry;
  readonly request: Pick<VoidRequest, 'reason' | 'actor'>;
  readonly replacedBy: string | undefined;
}

async function voidLocked(
  session: SqlSession,
  { entry, request, replacedBy }: Voiding,
): Promise<VoidedNumber> {
  const reason = checkText('reason', request.reason, 1000);
  const actor = checkText('actor', request.actor, 200);
  const replacement = replacedBy === undefined ? undefined : await find(session, entry.space, replacedBy);
  const isDone = entry.status === 'void' && entry.reason === reason && entry.replacedBy === replacedBy;
  if (isDone) return { voided: entry, replacement };
  refuseUnless(entry, ['issued', 'imported', 'manual']);
  const { space, counterId, sequence, number } = entry;
  await session.query({ text: voidEntry, values: [counterId, sequence, reason, replacedBy ?? null] });
  await appendEvents(session, [
    {
      type: 'number_voided',
      space,
      counter_id: counterId,
      sequence,
      number,
      actor,
      reason,
      facts: {
        was: entry.status,
        ...(entry.reason === undefined ? {} : { issueReason: entry.reason }),
        ...(replacedBy === undefined ? {} : { replacedBy }),
      },
    },
  ]);
  return { voided: { ...entry, status: 'void', reason, replacedBy }, replacement };
}

function refuseUnless(entry: LedgerEntry, statuses: readonly string[]): void {
  if (!statuses.includes(entry.status)) throw new NumberStateError(entry.number, entry.status, 'voided');
}

async function lock(session: SqlSession, request: { space: string; number: string }): Promise<LedgerEntry> {
  const space = checkText('space', request.space, 100);
  const number = checkText('number', request.number, 200);
  return firstEntry(await session.query({ text: lockEntry, values: [space, number] }), number);
}

async function find(session: SqlSession, space: string, number: string): Promise<LedgerEntry> {
  return firstEntry(await session.query({ text: selectEntry, values: [space, number] }), number);
}

function firstEntry({ rows }: { rows: unknown[] }, number: string): LedgerEntry {
  const [row] = rows as LedgerRow[];
  if (!row) throw new NumberNotFoundError(number);
  return toLedgerEntry(row);
}
