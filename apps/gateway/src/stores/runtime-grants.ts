import { escapeIdentifier } from 'pg';

/**
 * What a gateway does with the rows of each table; docs/operations/roles.md shows the same as SQL. It owns nothing, so it
 * can neither change a table nor switch off a trigger that keeps the ledger.
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

/** Statements that give a role the rights of a gateway on the tables that are there; may be run again. */
export function runtimeGrants(role: string): readonly string[] {
  const to = `TO ${escapeIdentifier(role)}`;
  return [
    ...Object.entries(RIGHTS).map(([table, rights]) => `GRANT ${rights} ON ${table} ${to}`),
    // Whose values a statement asks for by name; other identity columns need no right of their own.
    `GRANT USAGE ON SEQUENCE document_number_series_id_seq, document_number_formats_id_seq ${to}`,
  ];
}
