import { escapeIdentifier } from 'pg';

/**
 * The table rights of a gateway; docs/operations/roles.md shows them as SQL. The role owns nothing, so it can neither
 * alter a table nor disable a trigger that protects the ledger.
 */
const RIGHTS: Readonly<Record<string, string>> = {
  schema_migrations: 'SELECT',
  projects: 'SELECT, INSERT',
  organizations: 'SELECT, INSERT',
  correspondence_types: 'SELECT, INSERT',
  disciplines: 'SELECT, INSERT',
  people: 'SELECT, INSERT',
  correspondences: 'SELECT, INSERT',
  tsid_allocator: 'SELECT, INSERT',
  document_number_series: 'SELECT, INSERT, UPDATE',
  document_number_formats: 'SELECT, INSERT, UPDATE',
  document_number_counters: 'SELECT, INSERT, UPDATE',
  document_numbers: 'SELECT, INSERT, UPDATE',
  document_number_events: 'SELECT, INSERT',
  document_number_spaces: 'SELECT, INSERT, UPDATE',
  document_numbers_archive: 'SELECT',
  document_numbers_all: 'SELECT',
  trips: 'SELECT, INSERT, UPDATE',
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
    // Statements call nextval on these sequences by name; other identity columns need no separate right.
    `GRANT USAGE ON SEQUENCE document_number_series_id_seq, document_number_formats_id_seq ${to}`,
  ];
}
