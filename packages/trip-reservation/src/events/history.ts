import type { StoreCall, TripStatement } from '../sql/database.js';
import { checkHistory, type TripHistoryOptions } from '../trip/commands.js';
import type { TripEvent } from '../trip/trip.js';
import { EVENT_COLUMNS, eventOf } from './outbox.js';

const READ_HISTORY: TripStatement = {
  name: 'solegate_read_history',
  text: `
  SELECT ${EVENT_COLUMNS} FROM trip_outbox
  WHERE trip_id = $1 AND revision > $2 ORDER BY revision LIMIT $3`,
};

/** Returns events after the given revision, in order. */
export async function tripHistory(
  call: StoreCall,
  options: TripHistoryOptions,
): Promise<readonly TripEvent[]> {
  checkHistory(options);
  const { tripId, afterRevision = 0, first = 100 } = options;
  return (await call.read(READ_HISTORY, [String(tripId), afterRevision, first])).map(eventOf);
}
