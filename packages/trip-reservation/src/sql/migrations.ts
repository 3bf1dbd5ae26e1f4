import { tripsText } from './0001-trips.js';
import { tripOutboxText } from './0002-trip-outbox.js';
import { tripAttemptsText } from './0003-trip-attempts.js';
import { retentionText } from './0004-retention.js';

/** One numbered SQL text of this package. */
export interface TripMigration {
  readonly name: string;
  readonly sql: string;
}

/** Creates the tables, in this order, each once and each in a transaction. */
export const migrations: readonly TripMigration[] = [
  { name: '0001-trips', sql: tripsText },
  { name: '0002-trip-outbox', sql: tripOutboxText },
  { name: '0003-trip-attempts', sql: tripAttemptsText },
  { name: '0004-retention', sql: retentionText },
];
