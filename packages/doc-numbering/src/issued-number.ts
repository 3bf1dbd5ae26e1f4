import type { IssuedNumber, Reservation } from './issue-request.js';
import type { DrawnNumbers } from './pending-issue.js';
import { toToken } from './reservations.js';
import type { CounterAddress } from './resolved-request.js';
import type { Series } from './series.js';

/** What of its counter is told with a number. */
export interface IssuedAddress extends Pick<CounterAddress, 'dimensions'> {
  readonly series: Pick<Series, 'space' | 'series'>;
}

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
