import { readFileSync } from 'node:fs';

/** One numbered SQL file of this package. */
export interface TripMigration {
  readonly name: string;
  readonly sql: string;
}

const MIGRATION_NAMES = ['0001-trips', '0002-trip-outbox', '0003-trip-attempts', '0004-retention'] as const;

/** Creates the tables, in this order, each once and each in a transaction. */
export const migrations: readonly TripMigration[] = MIGRATION_NAMES.map((name) => ({
  name,
  sql: readFileSync(new URL(`../sql/${name}.sql`, import.meta.url), 'utf8'),
}));
