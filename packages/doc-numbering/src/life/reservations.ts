import { checkOptionalText, checkText, checkWhole } from '../contract/check-request.js';
import type { NumberStatus } from '../contract/issue-request.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { CancelRequest, ConfirmRequest } from '../contract/number-life.js';
import { NumberNotFoundError, NumberStateError } from '../contract/numbering-error.js';
import { readToken } from '../issue/issued-number.js';
import { type LedgerRow, ledgerColumns, ledgerTables, toLedgerEntry } from '../ledger/list-numbers.js';
import type { DatabaseCall } from '../sql/public-calls.js';

/** Who ends reservations whose time is over, in the events. */
const SWEEPER = 'numbering';

/**
 * A reservation is a ledger row of status `reserved`. It ends in one of three ways, each one statement that also writes the
 * event, so that of two who try only one succeeds:
 *
 *   confirm, while its time lasts -> issued;   cancel -> cancelled;   time over -> cancelled, reason "expired"
 *
 * A number that was shown is never issued again: a cancelled one stays in the ledger. Repeating a step that succeeded
 * gives the same entry, so a lost reply can be asked for again.
 */
const endReservation = `
WITH held AS (
  SELECT counter_id, sequence, reason FROM document_numbers n
  WHERE n.counter_id = $1::bigint AND n.sequence = $2::bigint AND n.reservation = $3::uuid AND n.status = 'reserved'
    AND ($4 = 'cancelled' OR n.expires_at > clock_timestamp())
  FOR NO KEY UPDATE
),
ended AS (
  UPDATE document_numbers n
  SET status = $4, document = coalesce($5, n.document), reason = coalesce($6, n.reason)
  FROM held h
  WHERE n.counter_id = h.counter_id AND n.sequence = h.sequence
  RETURNING n.space, n.counter_id, n.sequence, n.number, h.reason AS issue_reason
)
INSERT INTO document_number_events (type, space, counter_id, sequence, number, actor, reason, facts)
SELECT $7, space, counter_id, sequence, number, $8, $6,
  jsonb_strip_nulls(jsonb_build_object('document', $5::text, 'issueReason', issue_reason))
FROM ended`;

/** Of two who end a reservation for the same reason the sweeper is told by its name. */
const selectReservation = `
SELECT ${ledgerColumns}, n.expires_at <= clock_timestamp() AS is_over,
  EXISTS (SELECT FROM document_number_events e WHERE e.space = n.space AND e.number = n.number
    AND e.type = 'reservation_cancelled' AND e.actor = '${SWEEPER}') AS is_expired
FROM ${ledgerTables}
WHERE n.counter_id = $1::bigint AND n.sequence = $2::bigint AND n.reservation = $3::uuid`;

const expire = `
WITH over AS (
  SELECT counter_id, sequence, reason FROM document_numbers
  WHERE status = 'reserved' AND expires_at <= clock_timestamp()
  ORDER BY expires_at
  LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
),
ended AS (
  UPDATE document_numbers n SET status = 'cancelled', reason = 'expired'
  FROM over o
  WHERE n.counter_id = o.counter_id AND n.sequence = o.sequence
  RETURNING n.space, n.counter_id, n.sequence, n.number, o.reason AS issue_reason
)
INSERT INTO document_number_events (type, space, counter_id, sequence, number, actor, reason, facts)
SELECT 'reservation_cancelled', space, counter_id, sequence, number, '${SWEEPER}', 'expired',
  jsonb_strip_nulls(jsonb_build_object('issueReason', issue_reason))
FROM ended`;

/** @throws NumberNotFoundError, NumberStateError when it was cancelled or its time is over */
export function confirmReservation(call: DatabaseCall, request: ConfirmRequest): Promise<LedgerEntry> {
  return end(call, {
    place: readToken(request.token),
    status: 'issued',
    document: checkOptionalText('document', request.document, 200),
    reason: undefined,
    actor: checkText('actor', request.actor, 200),
  });
}

/** @throws NumberNotFoundError, NumberStateError when it was confirmed */
export function cancelReservation(call: DatabaseCall, request: CancelRequest): Promise<LedgerEntry> {
  return end(call, {
    place: readToken(request.token),
    status: 'cancelled',
    document: undefined,
    reason: checkText('reason', request.reason, 1000),
    actor: checkText('actor', request.actor, 200),
  });
}

/** Ends what is over, the oldest first; gives how many. Two who sweep at once share the work. */
export async function expireReservations(call: DatabaseCall, countMax: number): Promise<number> {
  const limit = checkWhole('countMax', countMax, [1, 100_000]);
  return (await call.repeating.query({ text: expire, values: [limit] })).rowCount ?? 0;
}

interface Ending {
  readonly place: readonly [string, string, string];
  readonly status: Extract<NumberStatus, 'issued' | 'cancelled'>;
  readonly document: string | undefined;
  readonly reason: string | undefined;
  readonly actor: string;
}

async function end(
  call: DatabaseCall,
  { place, status, document, reason, actor }: Ending,
): Promise<LedgerEntry> {
  const type = status === 'issued' ? 'reservation_confirmed' : 'reservation_cancelled';
  const { rowCount } = await call.repeating.query({
    text: endReservation,
    values: [...place, status, document ?? null, reason ?? null, type, actor],
  });
  const { rows } = await call.reading.query({ text: selectReservation, values: [...place] });
  const [row] = rows as (LedgerRow & { is_over: boolean; is_expired: boolean })[];
  if (!row) throw new NumberNotFoundError(`the reservation ${place[0]}.${place[1]}`);
  const entry = toLedgerEntry(row);
  const isRepeat =
    entry.status === status &&
    (status === 'issued' ? document === undefined || entry.document === document : true);
  if (rowCount === 1 || (isRepeat && !row.is_expired)) return entry;
  const state =
    row.status === 'reserved' && row.is_over ? 'reserved no longer, its time is over' : entry.status;
  throw new NumberStateError(entry.number, state, status === 'issued' ? 'confirmed' : 'cancelled');
}
