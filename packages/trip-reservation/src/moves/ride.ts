import type { StoreCall } from '../sql/database.js';
import { checkDriverTrip, type DriverTripOptions } from '../trip/commands.js';
import { mayMove } from '../trip/lifecycle.js';
import type {
  ArriveOutcome,
  CompleteOutcome,
  NoShowOutcome,
  NotOpen,
  StartOutcome,
} from '../trip/outcomes.js';
import type { Trip } from '../trip/trip.js';
import { ARRIVE, COMPLETE_TRIP, END_BY_NO_SHOW, moveTrip, START_TRIP } from './move.js';

/** The driver is at the pickup. A repeat while the trip is theirs returns ARRIVED with the original time. */
export function reportArrival(call: StoreCall, options: DriverTripOptions): Promise<ArriveOutcome> {
  checkDriverTrip(options);
  const { tripId, driverId } = options;
  return moveTrip<ArriveOutcome>(call, {
    tripId,
    statement: ARRIVE,
    judge: ({ trip }) => {
      if (trip.driverId !== driverId) return { kind: 'NOT_YOURS', tripId };
      if (!mayMove('arrive', trip.status)) return notOpen(trip);
      return trip.arrivedAt === null ? undefined : { kind: 'ARRIVED', trip };
    },
    moved: (trip) => ({ kind: 'ARRIVED', trip }),
  });
}

/** Ends the trip because the driver waited and the rider did not come. A repeat returns CANCELLED again. */
export function reportNoShow(
  call: StoreCall,
  options: DriverTripOptions,
  waitMs: number,
): Promise<NoShowOutcome> {
  checkDriverTrip(options);
  const { tripId, driverId } = options;
  return moveTrip<NoShowOutcome>(call, {
    tripId,
    statement: END_BY_NO_SHOW,
    judge: ({ trip, readAt }) => {
      if (trip.driverId !== driverId) return { kind: 'NOT_YOURS', tripId };
      if (trip.cancelReason === 'RIDER_NO_SHOW') return { kind: 'CANCELLED', trip };
      if (!mayMove('noShow', trip.status)) return notOpen(trip);
      const allowedAt = trip.arrivedAt && new Date(trip.arrivedAt.getTime() + waitMs);
      return allowedAt && allowedAt <= readAt ? undefined : { kind: 'TOO_EARLY', tripId, allowedAt };
    },
    moved: (trip) => ({ kind: 'CANCELLED', trip }),
  });
}

/** The driver has met the rider. A repeat while the trip is in progress returns STARTED again. */
export function startTrip(call: StoreCall, options: DriverTripOptions): Promise<StartOutcome> {
  checkDriverTrip(options);
  const { tripId, driverId } = options;
  return moveTrip<StartOutcome>(call, {
    tripId,
    statement: START_TRIP,
    judge: ({ trip }) => {
      if (trip.driverId !== driverId) return { kind: 'NOT_YOURS', tripId };
      if (trip.status === 'IN_PROGRESS') return { kind: 'STARTED', trip };
      return mayMove('start', trip.status) ? undefined : notOpen(trip);
    },
    moved: (trip) => ({ kind: 'STARTED', trip }),
  });
}

/** The ride is over and the driver is free. A repeat returns COMPLETED again. */
export function completeTrip(call: StoreCall, options: DriverTripOptions): Promise<CompleteOutcome> {
  checkDriverTrip(options);
  const { tripId, driverId } = options;
  return moveTrip<CompleteOutcome>(call, {
    tripId,
    statement: COMPLETE_TRIP,
    judge: ({ trip }) => {
      if (trip.driverId !== driverId) return { kind: 'NOT_YOURS', tripId };
      if (trip.status === 'COMPLETED') return { kind: 'COMPLETED', trip };
      return mayMove('complete', trip.status) ? undefined : notOpen(trip);
    },
    moved: (trip) => ({ kind: 'COMPLETED', trip }),
  });
}

function notOpen({ id, status }: Trip): NotOpen {
  return { kind: 'NOT_OPEN', tripId: id, status };
}
