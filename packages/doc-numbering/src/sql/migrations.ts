import {
  BoundedDatabase,
  Deadline,
  type MigrateOptions,
  type Migration,
  type MigrationReport,
  migrate,
  pinFunctions,
  poolOf,
  programGrants,
  quoteIdentifier,
  type SqlDatabase,
} from '@solegate/postgres-infra';
import { tablesText } from './0001-tables.js';
import { guardsText, tableNames } from './0002-guards.js';
import { changeNumberText } from './functions/change-number.js';
import { defineSeriesText } from './functions/define-series.js';
import { drawNumbersText } from './functions/draw-numbers.js';
import { openCountersText } from './functions/open-counters.js';
import { placeEventsText } from './functions/place-events.js';
import { recordNumbersText } from './functions/record-numbers.js';
import { sealNumbersText } from './functions/seal-numbers.js';

const functionsText = [
  openCountersText,
  drawNumbersText,
  recordNumbersText,
  changeNumberText,
  defineSeriesText,
  sealNumbersText,
  placeEventsText,
  pinFunctions(String.raw`p.proname LIKE 'document\_number\_%'`),
].join('\n');

/** Tables, guards and functions. Other tools must run each once, in this order, each in its own transaction. */
export const migrations: readonly Migration[] = [
  {
    name: '0001-tables',
    sql: tablesText,
    isApplied: `SELECT to_regclass('document_numbers') IS NOT NULL AS applied`,
  },
  {
    name: '0002-guards',
    sql: guardsText,
    isApplied: `SELECT to_regprocedure('document_number_refuse_write()') IS NOT NULL AS applied`,
  },
  {
    name: '0003-functions',
    sql: functionsText,
    isApplied: `SELECT to_regproc('document_number_draw_v1') IS NOT NULL AS applied`,
  },
];

const GRANT_MS = 60_000;

/** Functions that a program calls. Their names have a version: programs of two versions can run side by side. */
const functions = [
  'open',
  'draw',
  'record',
  'change',
  'lock_space',
  'define',
  'lock_chains',
  'seal',
  'place',
].map((name) => `document_number_${name}_v1`);

/**
 * Returns the statements that give a role what a program needs, and no more: it can read everything, and write through
 * the functions alone. They can be run repeatedly, by the owner of the tables.
 */
export function numberingGrants(role: string): readonly string[] {
  return programGrants(role, { tables: tableNames, functions });
}

/** How to migrate, and which role gets what programs need. */
export interface NumberingMigrateOptions extends Pick<MigrateOptions, 'schema' | 'isDryRun' | 'timeoutMs'> {
  /** A role that programs connect as, and that gets what they need ({@link numberingGrants}). Default: none. */
  readonly runtimeRole?: string;
}

/**
 * Updates the tables to the newest version. Safe to call at every start, from many processes at once: one does the
 * work, the others wait and find it done. A role that may not change tables finds that there is nothing to do. A
 * database migrated by TypeORM or by hand is taken over.
 *
 * @throws DistributedSchemaError, MigrationChangedError, SchemaTooNewError before anything is changed; PostgresFailure
 */
export async function migrateNumbering(
  source: SqlDatabase,
  { runtimeRole, ...options }: NumberingMigrateOptions = {},
): Promise<MigrationReport> {
  const { schema, isDryRun = false, timeoutMs = GRANT_MS } = options;
  const lockOrder = tableNames;
  const pool = poolOf(source);
  const report = await migrate(pool, { ...options, package: 'doc-numbering', migrations, lockOrder });
  if (runtimeRole === undefined || isDryRun) return report;
  const database = new BoundedDatabase({ pool, connectionMax: 1 });
  await database.transaction(Deadline.after(timeoutMs), async (session) => {
    const run = (text: string) => session.query({ text, values: [] });
    if (schema !== undefined) {
      await run(`SET LOCAL search_path TO ${quoteIdentifier(schema)}`);
      await run(`GRANT USAGE ON SCHEMA ${quoteIdentifier(schema)} TO ${quoteIdentifier(runtimeRole)}`);
    }
    await run(`GRANT SELECT ON solegate_migrations TO ${quoteIdentifier(runtimeRole)}`);
    for (const grant of numberingGrants(runtimeRole)) await run(grant);
  });
  return report;
}
