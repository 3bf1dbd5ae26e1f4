import type { StoreCall } from '../sql/database.js';
import { type CancelTripOptions, checkCancel } from '../trip/commands.js';
import { mayMove } from '../trip/lifecycle.js';
import type { CancelOutcome } from '../trip/outcomes.js';
import type { CancelReason, Trip } from '../trip/trip.js';
import { CANCEL_TRIP, LEAVE_TRIP, moveTrip } from './move.js';

interface CancelByRider {
  readonly tripId: bigint;
  readonly riderId: bigint;
  readonly reason?: CancelReason;
}

interface CancelByDriver {
  readonly tripId: bigint;
  readonly driverId: bigint;
  readonly reason?: CancelReason;
}

type Released = (before: Trip) => void;

/** @param released called when a driver no longer has the trip, with the trip before the change */
export function cancelTrip(
  call: StoreCall,
  options: CancelTripOptions,
  released: Released,
): Promise<CancelOutcome> {
  checkCancel(options);
  return 'riderId' in options
    ? cancelByRider(call, options, released)
    : cancelByDriver(call, options, released);
}

/** The rider cancels the trip, at any point before it ends, whether or not a driver has it. */
function cancelByRider(
  call: StoreCall,
  { tripId, riderId, reason }: CancelByRider,
  released: Released,
): Promise<CancelOutcome> {
  return moveTrip<CancelOutcome>(call, {
    tripId,
    statement: CANCEL_TRIP,
    values: [reason ?? null],
    judge: ({ trip }) => {
      if (trip.riderId !== riderId) return { kind: 'NOT_YOURS', tripId };
      if (trip.status === 'CANCELLED') return { kind: 'CANCELLED', trip };
      return mayMove('cancel', trip.status) ? undefined : { kind: 'NOT_OPEN', tripId, status: trip.status };
    },
    moved: (trip, before) => {
      released(before);
      return { kind: 'CANCELLED', trip };
    },
  });
}

/**
 * The driver leaves the trip, which is offered to others in the next epoch and never to this driver again. The trip
 * records who left, so a repeat returns REDISPATCHED again, whoever has the trip by then.
 */
function cancelByDriver(
  call: StoreCall,
  { tripId, driverId, reason }: CancelByDriver,
  released: Released,
): Promise<CancelOutcome> {
  return moveTrip<CancelOutcome>(call, {
    tripId,
    statement: LEAVE_TRIP,
    values: [reason ?? null],
    judge: ({ trip }) => {
      if (trip.excludedDriverIds.includes(driverId)) return { kind: 'REDISPATCHED', trip };
      if (trip.driverId !== driverId) return { kind: 'NOT_YOURS', tripId };
      return mayMove('leave', trip.status) ? undefined : { kind: 'NOT_OPEN', tripId, status: trip.status };
    },
    moved: (trip, before) => {
      released(before);
      return { kind: 'REDISPATCHED', trip };
    },
  });
}
