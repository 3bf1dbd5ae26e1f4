import type { TripDatabase, TripStatement } from '../sql/database.js';
import type { TripHistoryOptions } from '../trip/commands.js';
import type { TripEvent } from '../trip/trip.js';
import { EVENT_COLUMNS, eventOf } from './outbox.js';

const READ_HISTORY: TripStatement = {
  name: 'solegate_read_history',
  text: `
  SELECT ${EVENT_COLUMNS} FROM trip_outbox
  WHERE trip_id = $1 AND revision > $2 ORDER BY revision LIMIT $3`,
};

/** Events after the given revision, in order. */
export async function tripHistory(
  database: TripDatabase,
  { tripId, afterRevision = 0, first = 100 }: TripHistoryOptions,
): Promise<readonly TripEvent[]> {
  return (await database.run(READ_HISTORY, [String(tripId), afterRevision, first])).map(eventOf);
}
