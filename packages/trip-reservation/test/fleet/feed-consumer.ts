import pg from 'pg';
import { createTripReservation, TripReservationError } from '../../src/index.js';

/** A process that follows all trips from a cursor, and writes what it gets with the cursor after it, a line for each. */
const [databaseUrl, after = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
pool.on('error', () => undefined);

const trips = createTripReservation({ database: pool });
const open = async () => {
  for (;;) {
    try {
      return await trips.feed({ pollMs: 50, ...(after === '' ? {} : { after }) });
    } catch (error) {
      if (!(error instanceof TripReservationError && error.retryable)) throw error;
    }
  }
};
const feed = await open();
for (;;) {
  const taken = await feed.take(40);
  if (taken.length === 0) break;
  const events = taken.map(({ tripId, revision }) => [String(tripId), revision]);
  process.stdout.write(`${JSON.stringify({ cursor: feed.cursor, events })}\n`);
}
