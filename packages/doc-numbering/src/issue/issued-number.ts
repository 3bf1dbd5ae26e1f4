import type { IssuedNumber, Reservation } from '../contract/issue-request.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import type { DrawnNumbers } from '../draw/draft.js';
import type { IssuedAddress } from '../request/resolved-request.js';

/** What callers get. */
export function toIssuedNumbers({ series, dimensions }: IssuedAddress, drawn: DrawnNumbers): IssuedNumber[] {
  return drawn.numbers.map((number, part) => ({
    number,
    sequence: drawn.first + part,
    space: series.space,
    series: series.series,
    dimensions,
    period: drawn.period,
    date: drawn.date,
    formatVersion: drawn.formatVersion,
    counterId: drawn.counterId,
    id: drawn.id,
    replayed: drawn.replayed,
    status: drawn.status,
    guard: drawn.guard,
    waitedMs: drawn.waitedMs,
    retryCount: drawn.retryCount,
  }));
}

export function toReservation(address: IssuedAddress, drawn: DrawnNumbers): Reservation {
  const [issued] = toIssuedNumbers(address, drawn);
  const { reservation } = drawn;
  if (!issued || !reservation) throw new Error(`the ledger row of ${drawn.numbers[0]} is no reservation`);
  const token = toToken({
    counterId: issued.counterId,
    sequence: issued.sequence,
    secret: reservation.token,
  });
  return { ...issued, token, expiresAt: new Date(reservation.expiresMs) };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The token that a caller holds: where the row is, and the secret that only the holder knows. */
function toToken(place: { counterId: string; sequence: number; secret: string }): string {
  return `${place.counterId}.${place.sequence}.${place.secret}`;
}

/** @throws InvalidRequestError */
export function readToken(token: unknown): [string, string, string] {
  const [counterId = '', sequence = '', secret = '', ...more] = String(token).split('.');
  if (
    more.length > 0 ||
    !/^\d{1,18}$/.test(counterId) ||
    !/^\d{1,16}$/.test(sequence) ||
    !UUID.test(secret)
  ) {
    throw new InvalidRequestError('token', 'is not a token that reserve gave');
  }
  return [counterId, sequence, secret];
}
