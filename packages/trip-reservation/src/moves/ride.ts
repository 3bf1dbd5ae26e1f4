import type { StoreCall } from '../sql/database.js';
import { checkDriverTrip, type DriverTripOptions } from '../trip/commands.js';
import { mayMove } from '../trip/lifecycle.js';
import type { CompleteOutcome, NotOpen, StartOutcome } from '../trip/outcomes.js';
import type { Trip } from '../trip/trip.js';
import { COMPLETE_TRIP, moveTrip, START_TRIP } from './move.js';

/** The driver has met the rider. A repeat while the trip is under way gets STARTED again. */
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

/** The ride is over and the driver is free. A repeat gets COMPLETED again. */
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
