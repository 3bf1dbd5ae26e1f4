import type { StoreCall } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { type BroadcastOfferOptions, checkBroadcast } from '../trip/commands.js';
import { assertAudience } from '../trip/input.js';
import { hasEnded } from '../trip/lifecycle.js';
import type { OfferOutcome } from '../trip/outcomes.js';
import { moveTrip, WIDEN_OFFER } from './move.js';

/**
 * Adds drivers or time to an open offer. The epoch stays the same, so drivers who saw the offer before can still
 * accept it. An expired offer is not reopened, because a caller might already have seen that it expired.
 */
export function broadcastOffer(call: StoreCall, options: BroadcastOfferOptions): Promise<OfferOutcome> {
  checkBroadcast(options);
  const { tripId, epoch, offeredTo = 'EVERYONE', offerTtlMs } = options;
  return moveTrip<OfferOutcome>(call, {
    tripId,
    statement: WIDEN_OFFER,
    values: [offeredTo === 'EVERYONE' ? null : idArray(offeredTo), offerTtlMs ?? null],
    judge: ({ trip, isOfferOver }) => {
      if (trip.status === 'SCHEDULED' || hasEnded(trip.status)) {
        return { kind: 'NOT_OPEN', tripId, status: trip.status };
      }
      if (epoch > trip.epoch) return { kind: 'NOT_OFFERED', tripId, reason: 'NO_SUCH_OFFER' };
      if (epoch < trip.epoch)
        return { kind: 'STALE_OFFER', tripId, offerEpoch: epoch, currentEpoch: trip.epoch };
      if (trip.status !== 'FINDING') return { kind: 'TAKEN', tripId, epoch };
      if (isOfferOver) return { kind: 'NOT_OPEN', tripId, status: 'EXPIRED' };
      if (offeredTo !== 'EVERYONE' && trip.offeredTo !== 'EVERYONE') {
        assertAudience('offeredTo', [...new Set([...trip.offeredTo, ...offeredTo])]);
      }
      return undefined;
    },
    moved: (trip) => ({ kind: 'OFFERED', trip }),
  });
}
