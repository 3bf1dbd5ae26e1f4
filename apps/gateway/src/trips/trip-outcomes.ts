import type {
  DriverBusy,
  NotOffered,
  NotOpen,
  NotYours,
  StaleOffer,
  Taken,
  TooEarly,
  Trip,
  Undecided,
} from '@solegate/trip-reservation';
import { foreignTrip, seenAs } from './trip-access.js';
import type { ResultKind } from './types/trip-results.type.js';

type Refused = Taken | Undecided | DriverBusy | NotOpen | TooEarly | StaleOffer | NotOffered;

const MESSAGES: { [Kind in Refused['kind']]: (refused: Extract<Refused, { kind: Kind }>) => string } = {
  TAKEN: () => 'Trip already taken by another driver.',
  UNDECIDED: () => 'Another driver is ahead, but nothing is decided yet. Try again.',
  DRIVER_BUSY: () => 'You already have an active trip; complete or cancel it first.',
  NOT_OPEN: ({ status }) => `The trip is ${status.toLowerCase().replace('_', ' ')}.`,
  TOO_EARLY: ({ allowedAt }) =>
    allowedAt ? 'Wait a little longer for the rider.' : 'Report your arrival first, then wait.',
  STALE_OFFER: () => 'The trip has been offered again since; use the newest offer.',
  NOT_OFFERED: () => 'This trip is not offered to you.',
};

interface Outcome {
  readonly kind: ResultKind | NotYours['kind'];
  readonly trip?: Trip;
}

/** An outcome as a member of its result union. */
type Result<Decided> = Decided extends NotYours
  ? never
  : Decided extends Refused
    ? Decided & { readonly message: string }
    : Decided;

/**
 * Adds the message of a refusal, and hides what the caller cannot see.
 *
 * @throws {GatewayError} FORBIDDEN for another person's trip
 */
export function resultOf<Decided extends Outcome>(outcome: Decided): Result<Decided>;
export function resultOf(outcome: Outcome): object {
  const { kind, trip } = outcome;
  if (kind === 'NOT_YOURS') throw foreignTrip();
  // A driver who has left a trip sees only what other drivers see.
  if (kind === 'REDISPATCHED' && trip) return { ...outcome, trip: seenAs('OFFER', trip) };
  const messageOf = (MESSAGES as Partial<Record<ResultKind, (refused: Outcome) => string>>)[kind];
  return messageOf ? { ...outcome, message: messageOf(outcome) } : outcome;
}
