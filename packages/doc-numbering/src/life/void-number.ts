import type { SqlSession } from '@solegate/postgres-infra';
import { checkOptionalText, checkText, toIssueFacts } from '../contract/checks.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import { InvalidRequestError, NumberNotFoundError, NumberStateError } from '../contract/numbering-error.js';
import type { Correction, ReplaceRequest, VoidedNumber, VoidRequest } from '../contract/requests.js';
import { drawAllIn, type IssueInOptions } from '../issue/issue-in.js';
import { findByNumber } from '../ledger/lists.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { appendEvents } from '../sql/rows.js';

const VOID = `
UPDATE document_numbers SET status = 'void', reason = $3, replaced_by = $4
WHERE counter_id = $1::bigint AND sequence = $2::bigint`;

/** Voids a number; a repeated call returns the same result. @throws NumberNotFoundError, NumberStateError */
export function voidNumber(call: DatabaseCall, request: VoidRequest): Promise<VoidedNumber> {
  const replacedBy = checkOptionalText('replacedBy', request.replacedBy, 200);
  return call.transaction(async (session) => {
    const entry = await find(session, request, true);
    return voidLocked(session, entry, request, replacedBy);
  });
}

/** Does both in one commit; with a key, a retry finds both done. The draw comes late, to lock the counter briefly. */
export async function voidAndReplace(
  call: DatabaseCall,
  request: ReplaceRequest,
  options: IssueInOptions,
): Promise<VoidedNumber> {
  const { replacement } = request;
  if (replacement.space !== request.space) {
    throw new InvalidRequestError('replacement.space', 'must be the number space of the voided number');
  }
  const facts = toIssueFacts(replacement);
  const resolved = await options.resolver.resolve(replacement);
  return call.transaction(async (session) => {
    const entry = await find(session, request, true);
    if (entry.status !== 'void') refuseUnless(entry, ['issued', 'imported', 'manual']);
    const wanted = { request: replacement, facts, resolved };
    const [issued] = await drawAllIn({ call, session }, [wanted], options);
    return voidLocked(session, entry, request, issued?.number);
  });
}

async function voidLocked(
  session: SqlSession,
  entry: LedgerEntry,
  request: Correction,
  replacedBy: string | undefined,
): Promise<VoidedNumber> {
  const reason = checkText('reason', request.reason, 1000);
  const actor = checkText('actor', request.actor, 200);
  const replacement =
    replacedBy === undefined ? undefined : await find(session, { ...entry, number: replacedBy });
  const isDone = entry.status === 'void' && entry.reason === reason && entry.replacedBy === replacedBy;
  if (isDone) return { voided: entry, replacement };
  refuseUnless(entry, ['issued', 'imported', 'manual']);
  const { space, counterId, sequence, number } = entry;
  await session.query({ text: VOID, values: [counterId, sequence, reason, replacedBy ?? null] });
  const facts = { was: entry.status, issueReason: entry.reason, replacedBy };
  const what = { space, counterId, sequence, number };
  await appendEvents(session, { type: 'number_voided', ...what, actor, reason, facts });
  return { voided: { ...entry, status: 'void', reason, replacedBy }, replacement };
}

function refuseUnless(entry: LedgerEntry, statuses: readonly string[]): void {
  if (!statuses.includes(entry.status)) throw new NumberStateError(entry.number, entry.status, 'voided');
}

async function find(
  session: SqlSession,
  query: { readonly space: string; readonly number: string },
  isLocked = false,
): Promise<LedgerEntry> {
  const space = checkText('space', query.space, 100);
  const number = checkText('number', query.number, 200);
  const entry = await findByNumber(session, { space, number }, isLocked);
  if (!entry && isLocked) {
    const archived = await findByNumber(session, { space, number });
    if (archived) throw new NumberStateError(number, `${archived.status} and archived`, 'voided');
  }
  if (!entry) throw new NumberNotFoundError(number);
  return entry;
}
