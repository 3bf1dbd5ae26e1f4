import { readFileSync } from 'node:fs';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

const read = (name: string): Migration => ({
  name,
  sql: readFileSync(new URL(`../sql/${name}.sql`, import.meta.url), 'utf8'),
});

/** Tables, constraints and triggers, to be run once each, in this order, each in a transaction. */
export const migrations: readonly Migration[] = [read('0001-tables'), read('0002-guards')];
