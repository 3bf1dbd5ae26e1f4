import { tablesText } from './sql/0001-tables.js';
import { guardsText } from './sql/0002-guards.js';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Tables, constraints and triggers, to be run once each, in this order, each in a transaction. */
export const migrations: readonly Migration[] = [
  { name: '0001-tables', sql: tablesText },
  { name: '0002-guards', sql: guardsText },
];
