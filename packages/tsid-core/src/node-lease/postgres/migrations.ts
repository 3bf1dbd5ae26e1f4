import {
  type MigrateOptions,
  type Migration,
  type MigrationReport,
  migrate,
  pinFunctions,
  programGrants,
  type SqlPool,
} from '@solegate/postgres-infra';
import { claimNodeText } from './claim-node.js';
import { fleetMemoryText } from './fleet-memory.js';
import { releaseNodeText } from './release-node.js';
import { renewNodeText } from './renew-node.js';
import { tablesText } from './tables.js';

const pinText = pinFunctions(`p.proname ~ '^tsid_(fleet|nodes?|allocator)_.*_v1$'`);

/** Tables and functions of the node leases. Other tools must run each once, in this order, each in its own transaction. */
export const nodeLeaseMigrations: readonly Migration[] = [
  {
    name: '0001-node-leases',
    sql: [tablesText, fleetMemoryText, claimNodeText, renewNodeText, releaseNodeText, pinText].join('\n'),
    isApplied: `SELECT to_regclass('tsid_node_ranges') IS NOT NULL AS applied`,
  },
];

/** The tables, in the order in which the functions lock them. */
export const nodeLeaseTables = ['tsid_allocator', 'tsid_nodes', 'tsid_node_ranges'] as const;

/**
 * Creates or updates the tables of the node leases. Safe to call at every start, from many processes at once.
 * @throws SchemaTooNewError, MigrationChangedError before anything is changed; PostgresFailure
 */
export function migrateNodeLeases(
  pool: SqlPool,
  options: Pick<MigrateOptions, 'schema' | 'isDryRun' | 'timeoutMs'> = {},
): Promise<MigrationReport> {
  const lockOrder = nodeLeaseTables;
  return migrate(pool, { ...options, package: 'tsid-core', migrations: nodeLeaseMigrations, lockOrder });
}

/** Functions that a program calls. */
const functions = [
  'tsid_node_claim_v1',
  'tsid_node_renew_v1',
  'tsid_node_release_v1',
  'tsid_nodes_list_v1',
  'tsid_allocator_pin_v1',
];

/**
 * Returns the statements that give a role what a program needs, and no more: it can read everything, and write through
 * the functions alone. They can be run repeatedly, by the owner of the tables.
 */
export function nodeLeaseGrants(role: string): readonly string[] {
  return programGrants(role, { tables: nodeLeaseTables, functions });
}
