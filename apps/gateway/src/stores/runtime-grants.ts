import { numberingGrants } from '@solegate/doc-numbering';
import { nodeLeaseGrants } from '@solegate/tsid-core/node-lease/postgres';
import { escapeIdentifier } from 'pg';

/**
 * The table rights of a gateway; docs/operations/roles.md shows them as SQL. The role owns nothing, so it can neither
 * alter a table nor disable a trigger that protects the ledger.
 */
const RIGHTS: Readonly<Record<string, string>> = {
  schema_migrations: 'SELECT',
  projects: 'SELECT, INSERT, UPDATE (name)',
  organizations: 'SELECT, INSERT, UPDATE (name)',
  correspondence_types: 'SELECT, INSERT, UPDATE (name)',
  disciplines: 'SELECT, INSERT, UPDATE (name)',
  people: 'SELECT, INSERT, UPDATE (name)',
  correspondences: 'SELECT, INSERT',
  trips: 'SELECT, INSERT, UPDATE',
  trip_namespace: 'SELECT, UPDATE (pruned_until)',
  trip_feed: 'SELECT, UPDATE',
  driver_active: 'SELECT, INSERT, UPDATE, DELETE',
  trip_outbox: 'SELECT, INSERT, UPDATE, DELETE',
  trip_attempts: 'SELECT, INSERT, UPDATE, DELETE',
  trip_nearest: 'SELECT, INSERT, UPDATE, DELETE',
};

/** Returns the statements that grant a role the rights of a gateway; they can be run repeatedly. */
export function runtimeGrants(role: string): readonly string[] {
  const to = `TO ${escapeIdentifier(role)}`;
  return [
    ...Object.entries(RIGHTS).map(([table, rights]) => `GRANT ${rights} ON ${table} ${to}`),
    // Node leases and numbers are written by functions of the tables' owner alone.
    ...nodeLeaseGrants(role),
    ...numberingGrants(role),
  ];
}
