import type { AcceptOutcome, Undecided } from '../trip/outcomes.js';

/** The outcomes that a row can yield; it is never undecided. */
type StoredOutcome = Exclude<AcceptOutcome, Undecided>;

import type { TripStatus } from '../trip/trip.js';
import type { TripStatement } from './database.js';
import { isOfferOver } from './offer-over.js';

/** A snapshot of a trip and one driver, sufficient to compute the answer for any driver. */
export interface Standing {
  readonly tripId: bigint;
  /** Undefined if there is no such trip. */
  readonly status: TripStatus | undefined;
  readonly epoch: number;
  /** An undecided offer is decided, if at all, by a later revision. */
  readonly revision: number;
  readonly driverId: bigint | undefined;
  readonly acceptedAt: Date | undefined;
  /** See `isOfferOver` of offer-over.ts. */
  readonly isOfferOver: boolean;
  /** Undefined if offered to everyone. */
  readonly offeredDriverIds: readonly bigint[] | undefined;
  readonly excludedDriverIds: readonly bigint[];
  readonly rejectedDriverIds: readonly bigint[];
  /** Active trip of the driver `askedBy`, if any. */
  readonly busyWith: bigint | undefined;
  /** The driver for whom the snapshot was read. */
  readonly askedBy: bigint;
}

/**
 * Returns one row for each pair of trip and driver, in the order given. The limit, always the number of pairs, is
 * for the planner, which then expects one row and plans index lookups, however small the tables were
 * at planning time.
 */
export const READ_STANDING: TripStatement = {
  name: 'solegate_read_standing',
  text: `
  SELECT w.trip_id, w.driver_id AS asked_by, t.status, t.epoch, t.revision, t.driver_id, t.accepted_at,
         ${isOfferOver('t')} AS is_offer_over,
         t.offered_driver_ids, t.excluded_driver_ids, t.rejected_driver_ids, a.trip_id AS busy_with
  FROM (
    SELECT * FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS w (trip_id, driver_id, place)
    LIMIT $3
  ) w
  LEFT JOIN trips t ON t.id = w.trip_id
  LEFT JOIN driver_active a ON a.driver_id = w.driver_id
  ORDER BY w.place`,
};

interface StandingRow {
  readonly trip_id: string;
  readonly asked_by: string;
  readonly status: TripStatus | null;
  readonly epoch: number | null;
  readonly revision: number | null;
  readonly driver_id: string | null;
  readonly accepted_at: Date | null;
  readonly is_offer_over: boolean | null;
  readonly offered_driver_ids: readonly string[] | null;
  readonly excluded_driver_ids: readonly string[] | null;
  readonly rejected_driver_ids: readonly string[] | null;
  readonly busy_with: string | null;
}

export function standingOf(selected: unknown): Standing {
  const row = selected as StandingRow;
  return {
    tripId: BigInt(row.trip_id),
    status: row.status ?? undefined,
    epoch: row.epoch ?? 0,
    revision: row.revision ?? 0,
    driverId: row.driver_id === null ? undefined : BigInt(row.driver_id),
    acceptedAt: row.accepted_at ?? undefined,
    isOfferOver: row.is_offer_over ?? false,
    offeredDriverIds: row.offered_driver_ids?.map(BigInt),
    excludedDriverIds: (row.excluded_driver_ids ?? []).map(BigInt),
    rejectedDriverIds: (row.rejected_driver_ids ?? []).map(BigInt),
    busyWith: row.busy_with === null ? undefined : BigInt(row.busy_with),
    askedBy: BigInt(row.asked_by),
  };
}

/** The driver whose reservation of this epoch is committed and still valid, if any. */
export function ownerOf({ status, epoch, driverId }: Standing, offerEpoch: number): bigint | undefined {
  const isTaken = status === 'ACCEPTED' || status === 'IN_PROGRESS';
  return isTaken && epoch === offerEpoch ? driverId : undefined;
}

/**
 * The answer for a driver with an offer of this epoch, or undefined if no refusal applies. The most useful reason
 * comes first: after an ended trip there is nothing to wait for, after a new epoch there is a new offer.
 */
export function answerFor(
  standing: Standing,
  driverId: bigint,
  offerEpoch: number,
): StoredOutcome | undefined {
  const { tripId, status, epoch, acceptedAt } = standing;
  const isTheirs = standing.driverId === driverId && epoch === offerEpoch;
  switch (status) {
    case undefined:
      return undefined;
    case 'SCHEDULED':
    case 'CANCELLED':
    case 'EXPIRED':
      return { kind: 'NOT_OPEN', tripId, status };
    case 'ACCEPTED':
    case 'IN_PROGRESS':
    case 'COMPLETED':
      if (isTheirs && acceptedAt) return { kind: 'ACCEPTED', tripId, driverId, epoch, acceptedAt };
      if (status === 'COMPLETED') return { kind: 'NOT_OPEN', tripId, status };
      return otherEpoch(standing, offerEpoch) ?? { kind: 'TAKEN', tripId, epoch };
    case 'FINDING':
      return otherEpoch(standing, offerEpoch) ?? answerToOffer(standing, driverId);
  }
}

function otherEpoch({ tripId, epoch }: Standing, offerEpoch: number): StoredOutcome | undefined {
  if (offerEpoch > epoch) return { kind: 'NOT_OFFERED', tripId, reason: 'NO_SUCH_OFFER' };
  if (offerEpoch < epoch) return { kind: 'STALE_OFFER', tripId, offerEpoch, currentEpoch: epoch };
  return undefined;
}

function answerToOffer(standing: Standing, driverId: bigint): StoredOutcome | undefined {
  const { tripId, busyWith, askedBy } = standing;
  if (standing.isOfferOver) return { kind: 'NOT_OPEN', tripId, status: 'EXPIRED' };
  if (standing.excludedDriverIds.includes(driverId)) {
    return { kind: 'NOT_OFFERED', tripId, reason: 'EXCLUDED' };
  }
  if (standing.rejectedDriverIds.includes(driverId)) {
    return { kind: 'NOT_OFFERED', tripId, reason: 'REJECTED' };
  }
  if (standing.offeredDriverIds && !standing.offeredDriverIds.includes(driverId)) {
    return { kind: 'NOT_OFFERED', tripId, reason: 'NOT_LISTED' };
  }
  if (busyWith !== undefined && askedBy === driverId) {
    return { kind: 'DRIVER_BUSY', tripId, activeTripId: busyWith };
  }
  return undefined;
}
