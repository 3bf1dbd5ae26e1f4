import { migrate } from '@solegate/postgres-infra';
import type { Pool } from 'pg';
import { migrations } from '../src/index.js';
import { tableNames } from '../src/sql/0002-guards.js';

/** Made-up next versions, each of which changes the ledger and the counters. */
const next = Array.from({ length: 8 }, (_, index) => ({
  name: `9${index}-made-up`,
  sql: `ALTER TABLE document_numbers ADD COLUMN made_up_${index} text;
    ALTER TABLE document_number_counters ADD COLUMN made_up_${index} text;
    ALTER TABLE document_number_series ADD COLUMN made_up_${index} text`,
}));

/** Applies eight made-up versions one after another, as eight releases would. */
export async function migrateEightTimes(pool: Pool): Promise<void> {
  for (let version = 1; version <= next.length; version += 1) {
    await migrate(pool, {
      package: 'doc-numbering',
      migrations: [...migrations, ...next.slice(0, version)],
      lockOrder: tableNames,
    });
  }
}
