import type { SqlSession } from '@solegate/postgres-infra';
import { checkOptionalText, checkText } from '../contract/checks.js';
import type { LedgerEntry } from '../contract/ledger-columns.js';
import {
  BusyError,
  InvalidRequestError,
  NumberNotFoundError,
  NumberStateError,
} from '../contract/numbering-error.js';
import type { Correction, ReplaceRequest, VoidedNumber, VoidRequest } from '../contract/requests.js';
import { drawAllIn, type IssueInOptions, resolveIn } from '../issue/issue-in.js';
import { findByNumber } from '../ledger/entries.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { callFunction } from '../sql/rows.js';

const VOID = `document_number_change_v1(step => 'VOID', space => $1, number => $2, reason => $3, actor => $4,
  replaced_by => $5)::float8`;

/** Voids a number; a repeated call returns the same entries. @throws InvalidRequestError, NumberNotFoundError, NumberStateError, BusyError */
export function voidNumber(call: DatabaseCall, request: VoidRequest): Promise<VoidedNumber> {
  const replacedBy = checkOptionalText('replacedBy', request.replacedBy, 200);
  if (replacedBy !== undefined && replacedBy === request.number)
    throw new InvalidRequestError('replacedBy', 'is the voided number itself');
  return call.transaction((session) => voidIn(session, request, replacedBy));
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
  const wanted = await resolveIn({ call }, replacement, options);
  return call.transaction(async (session) => {
    const entry = await find(session, request);
    if (entry.status !== 'void') refuseUnlessVoidable(entry);
    const [issued] = await drawAllIn({ call, session }, [wanted], options);
    if (issued?.number === entry.number)
      throw new InvalidRequestError('replacement.key', 'is the key of the voided number');
    return voidIn(session, request, issued?.number);
  });
}

async function voidIn(
  session: SqlSession,
  request: Correction & { readonly space: string; readonly number: string },
  replacedBy: string | undefined,
): Promise<VoidedNumber> {
  const reason = checkText('reason', request.reason, 1000);
  const actor = checkText('actor', request.actor, 200);
  const { space, number } = await find(session, request);
  const replacement =
    replacedBy === undefined ? undefined : await find(session, { space, number: replacedBy });
  const values = [space, number, reason, actor, replacedBy ?? null];
  const changedCount = await callFunction<number>(session, VOID, values);
  const voided = await find(session, { space, number });
  const isRepeat =
    voided.status === 'void' && voided.voidReason === reason && voided.replacedBy === replacedBy;
  const replayed = changedCount === 0;
  if (replayed && !isRepeat) {
    refuseUnlessVoidable(voided);
    // A reservation that was confirmed after the statement had passed it over.
    throw new BusyError();
  }
  return { voided, replacement, replayed };
}

function refuseUnlessVoidable({ number, status }: LedgerEntry): void {
  if (!['issued', 'imported', 'manual'].includes(status))
    throw new NumberStateError(number, status, 'voided');
}

async function find(
  session: SqlSession,
  query: { readonly space: string; readonly number: string },
): Promise<LedgerEntry> {
  const space = checkText('space', query.space, 100);
  const number = checkText('number', query.number, 200);
  const entry = await findByNumber(session, { space, number });
  if (!entry) throw new NumberNotFoundError(number);
  return entry;
}
