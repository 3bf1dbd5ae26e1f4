import type { SqlSession } from '@solegate/postgres-infra';
import { checkOptionalText, checkText, checkWhole, type Settings } from '../contract/checks.js';
import type { LedgerEntry } from '../contract/ledger-columns.js';
import { InvalidRequestError, NumberNotFoundError, NumberStateError } from '../contract/numbering-error.js';
import type { CancelRequest, ConfirmedNumber, ConfirmRequest, Reservation } from '../contract/requests.js';
import type { DrawnNumbers } from '../draw/draft.js';
import { entryColumns, entryTables } from '../ledger/entries.js';
import { EXPIRED, SWEEPER } from '../sql/functions/change-number.js';
import { afterCommit, type DatabaseCall } from '../sql/public-calls.js';
import { selectRows } from '../sql/rows.js';

const EXPIRY_MAX = 10_000;

/*
 * A reservation is a ledger row with status `reserved`. It ends in one of three ways, each a step of
 * document_number_change_v1, which also writes the event, so that of two concurrent attempts only one succeeds:
 *
 *   confirm, before it expires -> issued;   cancel -> cancelled;   expiry -> cancelled, reason "expired"
 *
 * A number that was handed out is never issued again: a cancelled one stays in the ledger. Repeating a step that
 * succeeded returns the same entry, so a caller can retry after a lost reply; if the entry cannot be read after the step,
 * its outcome is not known either.
 */
const END_RESERVATION = `document_number_change_v1(step => $1, document => $2, reason => $3, actor => $4,
  counter_id => $5, sequence => $6, secret => $7)::float8`;

const EXPIRE = `document_number_change_v1(step => 'EXPIRE', actor => NULL, count_max => $1)::float8`;

/** Expiry is recognized by the sweeper's name and reason: a person can have the one, or give the other. */
const SELECT_RESERVATION = `
SELECT ${entryColumns}, n.expires_at <= clock_timestamp() AS "isOver",
  EXISTS (SELECT FROM document_number_events e WHERE e.space = n.space AND e.number = n.number
    AND e.type = 'reservation_cancelled' AND e.actor = '${SWEEPER}' AND e.reason = '${EXPIRED}') AS "isExpired"
FROM ${entryTables}
WHERE n.counter_id = $1::bigint AND n.sequence = $2::bigint AND n.reservation = $3::uuid`;

/** Returns the entry of a reservation, also after its end. @throws InvalidRequestError */
export async function findReservation(session: SqlSession, token: string): Promise<LedgerEntry | undefined> {
  return (await reservationAt(session, readToken(token)))?.entry;
}

/** @throws NumberNotFoundError, NumberStateError if it was cancelled or has expired, BusyError if its row is held */
export async function confirmReservation(
  call: DatabaseCall,
  request: ConfirmRequest,
): Promise<ConfirmedNumber> {
  const document = checkOptionalText('document', request.document, 200);
  const { entry, replayed } = await end(call, request, { step: 'CONFIRM', status: 'issued', document });
  return { ...entry, replayed };
}

/** @throws NumberNotFoundError, NumberStateError if it was confirmed, BusyError if its row is held */
export async function cancelReservation(call: DatabaseCall, request: CancelRequest): Promise<LedgerEntry> {
  const reason = checkText('reason', request.reason, 1000);
  return (await end(call, request, { step: 'CANCEL', status: 'cancelled', reason })).entry;
}

/** Cancels overdue reservations, oldest first, and returns how many. Concurrent sweeps share the work. */
export async function expireReservations(call: DatabaseCall, countMax = EXPIRY_MAX): Promise<number> {
  const limit = checkWhole('countMax', countMax, [1, 100_000]);
  return call.repeat<number>(EXPIRE, [limit]);
}

async function end(
  call: DatabaseCall,
  { token, actor }: Pick<ConfirmRequest, 'token' | 'actor'>,
  ending: {
    step: 'CONFIRM' | 'CANCEL';
    status: 'issued' | 'cancelled';
    document?: string | undefined;
    reason?: string;
  },
): Promise<{ readonly entry: LedgerEntry; readonly replayed: boolean }> {
  const { step, status, document, reason } = ending;
  const place = readToken(token);
  const values = [step, document ?? null, reason ?? null, checkText('actor', actor, 200), ...place];
  const changedCount = await call.repeat<number>(END_RESERVATION, values);
  const found = await reservationAt(call.reading, place).catch(afterCommit);
  if (!found) throw new NumberNotFoundError(`reservation ${place[0]}.${place[1]}`);
  const { isOver, isExpired, entry } = found;
  const isOtherDocument = status === 'issued' && document !== undefined && entry.document !== document;
  const isRepeat = entry.status === status && !isOtherDocument && !isExpired;
  if (changedCount === 1 || isRepeat) return { entry, replayed: changedCount === 0 };
  const isTooLate = entry.status === 'reserved' && isOver;
  const state = isTooLate ? 'reserved, but expired' : entry.status;
  throw new NumberStateError(entry.number, state, status === 'issued' ? 'confirmed' : 'cancelled');
}

async function reservationAt(session: SqlSession, place: string[]) {
  const [row] = await selectRows<LedgerEntry & { isOver: boolean; isExpired: boolean }>(
    session,
    SELECT_RESERVATION,
    place,
  );
  if (!row) return undefined;
  const { isOver, isExpired, ...entry } = row;
  return { entry, isOver, isExpired };
}

/** What the caller of `reserve` gets. The token contains the row's key and a secret known only to the holder. */
export function toReservation({ numbers, reservation }: DrawnNumbers): Reservation {
  const [issued] = numbers;
  if (!issued || !reservation) throw new Error(`the ledger row of ${issued?.number} is not a reservation`);
  const token = `${issued.counterId}.${issued.sequence}.${reservation.token}`;
  return { ...issued, token, expiresAt: new Date(reservation.expiresMs) };
}

const TOKEN = /^(\d{1,18})\.(\d{1,16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @throws InvalidRequestError */
function readToken(token: unknown): [string, string, string] {
  const [, counterId, sequence, secret] = TOKEN.exec(String(token)) ?? [];
  if (counterId === undefined || sequence === undefined || secret === undefined) {
    throw new InvalidRequestError('token', 'is not a token returned by reserve');
  }
  return [counterId, sequence, secret];
}

const INTERVAL_MS = 60_000;
const INTERVAL_MS_RANGE = [1000, 86_400_000] as const;

/** Sweeps periodically, with jitter: processes that started together drift apart, by up to a fifth of the interval. */
export class Sweeper {
  readonly #options: Settings;
  readonly #sweep: () => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: Settings, sweep: () => Promise<unknown>) {
    this.#options = options;
    this.#sweep = sweep;
  }

  /** @throws InvalidRequestError; a second start does nothing */
  start({ intervalMs = INTERVAL_MS }: { readonly intervalMs?: number } = {}): void {
    checkWhole('intervalMs', intervalMs, INTERVAL_MS_RANGE);
    if (!this.#timer) this.#schedule(intervalMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(intervalMs: number): void {
    const { random, observer } = this.#options;
    if (this.#isStopped) return;
    const sweep = async () => {
      await this.#sweep().catch((error: unknown) => observer.sweepFailed?.(error));
      this.#schedule(intervalMs);
    };
    this.#timer = setTimeout(() => void sweep(), intervalMs * (0.9 + random() / 5));
    // The timer must not keep an otherwise idle process alive.
    this.#timer.unref();
  }
}
