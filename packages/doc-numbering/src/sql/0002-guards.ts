/** All tables, in the order in which the draws lock them. */
export const tableNames = [
  'document_number_counters',
  'document_number_series',
  'document_number_formats',
  'document_number_spaces',
  'document_numbers',
  'document_number_events',
  'document_number_chains',
  'document_number_seals',
] as const;

const guardOf = (table: string): string => `
CREATE TRIGGER ${table}_guarded
  BEFORE INSERT OR UPDATE OR DELETE ON ${table}
  FOR EACH STATEMENT
  WHEN (current_setting('document_number.writes', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION document_number_refuse_write();

CREATE TRIGGER ${table}_kept
  BEFORE TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_refuse_write();
`;

export const guardsText = `-- Guards against accidents of the owner: the tables are written by the document_number_* functions alone. Each function
-- sets \`document_number.writes\` while it writes. This is no security, since anybody can set it: the runtime role has no
-- privilege to write, and an owner who means to change a row can.
CREATE FUNCTION document_number_refuse_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is written by the document_number functions alone: % refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_TABLE_NAME || '_guarded';
END $$;
${tableNames.map(guardOf).join('')}
-- No function changes a seal, so no setting permits it.
CREATE TRIGGER document_number_seals_appended
  BEFORE UPDATE OR DELETE ON document_number_seals
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_refuse_write();
`;
