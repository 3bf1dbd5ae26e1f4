import {
  type MigrateOptions,
  type Migration,
  type MigrationReport,
  migrate,
  type SqlPool,
} from '@solegate/postgres-infra';
import { claimNodeText } from './claim-node.js';
import { fleetMemoryText } from './fleet-memory.js';
import { releaseNodeText } from './release-node.js';
import { renewNodeText } from './renew-node.js';
import { tablesText } from './tables.js';

/** Pins what the functions see, whatever the caller's search path, and takes them from PUBLIC, to whom each is given. */
const pinText = `
DO $$
DECLARE
  one regprocedure;
BEGIN
  FOR one IN
    SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace AND p.proname ~ '^tsid_(fleet|nodes?|allocator)_.*_v1$'
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', one, current_schema());
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
  END LOOP;
END $$;
`;

/** Tables and functions of the node leases. Other tools must run each once, in this order, each in its own transaction. */
export const nodeLeaseMigrations: readonly Migration[] = [
  {
    name: '0001-node-leases',
    sql: [tablesText, fleetMemoryText, claimNodeText, renewNodeText, releaseNodeText, pinText].join('\n'),
    isApplied: `SELECT to_regclass('tsid_node_ranges') IS NOT NULL AS applied`,
  },
];

/**
 * Creates or updates the tables of the node leases. Safe to call at every start, from many processes at once.
 * @throws SchemaTooNewError, MigrationChangedError before anything is changed; PostgresFailure
 */
export function migrateNodeLeases(
  pool: SqlPool,
  options: Pick<MigrateOptions, 'schema' | 'isDryRun' | 'timeoutMs'> = {},
): Promise<MigrationReport> {
  return migrate(pool, { ...options, package: 'tsid-core', migrations: nodeLeaseMigrations });
}

/**
 * Returns the statements that give a role what a program needs, and no more: it can read everything, and write through
 * the functions alone. They can be run repeatedly, by the owner of the tables.
 */
export function nodeLeaseGrants(role: string): readonly string[] {
  const to = `TO "${role.replaceAll('"', '""')}"`;
  return [
    ...['tsid_allocator', 'tsid_nodes', 'tsid_node_ranges'].map((table) => `GRANT SELECT ON ${table} ${to}`),
    ...[
      'tsid_node_claim',
      'tsid_node_renew',
      'tsid_node_release',
      'tsid_nodes_list',
      'tsid_allocator_pin',
    ].map((name) => `GRANT EXECUTE ON FUNCTION ${name}_v1 ${to}`),
  ];
}
