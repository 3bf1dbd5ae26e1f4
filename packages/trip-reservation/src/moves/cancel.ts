import type { StoreCall } from '../sql/database.js';
import { type CancelTripOptions, checkCancel } from '../trip/commands.js';
import { mayMove } from '../trip/lifecycle.js';
import type { CancelOutcome } from '../trip/outcomes.js';
import type { Trip } from '../trip/trip.js';
import { CANCEL_TRIP, LEAVE_TRIP, moveTrip } from './move.js';

/**
 * The rider or a dispatcher cancels the trip, at any point before it ends, whether or not a driver has it. Or the driver
 * leaves it: it is offered to others in the next epoch and never to this driver again. The trip records who left, so a repeat returns
 * REDISPATCHED again, whoever has the trip by then.
 *
 * @param released called when a driver no longer has the trip, with the trip before the change
 */
export function cancelTrip(
  call: StoreCall,
  options: CancelTripOptions,
  released: (before: Trip) => void,
): Promise<CancelOutcome> {
  checkCancel(options);
  const { tripId } = options;
  const reason = 'byDispatcher' in options ? 'BY_DISPATCHER' : options.reason;
  const isLeft = 'driverId' in options;
  const [move, kind] = isLeft ? (['leave', 'REDISPATCHED'] as const) : (['cancel', 'CANCELLED'] as const);
  return moveTrip<CancelOutcome>(call, {
    tripId,
    statement: isLeft ? LEAVE_TRIP : CANCEL_TRIP,
    values: [reason ?? null],
    judge: ({ trip }) => {
      const { riderId, driverId, status, excludedDriverIds } = trip;
      const hasLeft = isLeft && excludedDriverIds.includes(options.driverId);
      const isTheirs = isLeft
        ? driverId === options.driverId
        : !('riderId' in options) || riderId === options.riderId;
      if (!hasLeft && !isTheirs) return { kind: 'NOT_YOURS', tripId };
      if (hasLeft || (!isLeft && status === 'CANCELLED')) return { kind, trip };
      return mayMove(move, status) ? undefined : { kind: 'NOT_OPEN', tripId, status };
    },
    moved: (trip, before) => {
      released(before);
      return { kind, trip };
    },
  });
}
