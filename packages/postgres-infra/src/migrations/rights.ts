import { quoteIdentifier } from '../quoting.js';

/**
 * Returns the end of a migration that creates functions of the tables' owner: it pins what they see, whatever the
 * caller's search path, and takes them from PUBLIC, to whom each is given.
 *
 * @param condition of SQL, which functions `p` of `pg_proc` in the current schema
 */
export const pinFunctions = (condition: string): string => `
DO $$
DECLARE
  one regprocedure;
BEGIN
  FOR one IN
    SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace AND ${condition}
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', one, current_schema());
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
  END LOOP;
END $$;
`;

/**
 * Returns the statements that give a role what a program needs, and no more: it can read the tables, and write through
 * the functions alone. They can be run repeatedly, by the owner of the tables.
 */
export function programGrants(
  role: string,
  { tables, functions }: Readonly<Record<'tables' | 'functions', readonly string[]>>,
): string[] {
  const to = `TO ${quoteIdentifier(role)}`;
  return [
    ...tables.map((name) => `GRANT SELECT ON ${name} ${to}`),
    ...functions.map((name) => `GRANT EXECUTE ON FUNCTION ${name} ${to}`),
  ];
}
