import type { SqlSession } from '../sql-session.js';

/** Citus distributes the tables of this schema, where their safeguards do not hold. Nothing was changed. */
export class DistributedSchemaError extends Error {
  override readonly name = 'DistributedSchemaError';
  readonly code = 'SCHEMA_DISTRIBUTED';
  readonly retryable = false;

  constructor(
    readonly schema: string,
    /** The Citus catalog that lists it. */
    readonly catalogue: string,
  ) {
    super(
      `The schema "${schema}" is distributed by Citus (listed in ${catalogue}). Citus does not create triggers that ` +
        'include TRUNCATE on the shards, so append-only rows could be changed, and it reports unique keys under ' +
        'other names, so idempotency keys fail. Use a schema with local tables only, or a plain PostgreSQL',
    );
  }
}

/** Distribution by table, and since Citus 12 by schema. */
const CATALOGUES = {
  pg_dist_partition: `
    SELECT current_schema() AS schema FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE c.relnamespace = current_schema()::regnamespace LIMIT 1`,
  pg_dist_schema: `
    SELECT current_schema() AS schema FROM pg_dist_schema WHERE schemaid = current_schema()::regnamespace`,
};

/**
 * Rejects a schema that Citus distributes; call it before the first migration.
 *
 * @throws DistributedSchemaError for the schema that comes first on the search path
 */
export async function refuseDistributedSchema(session: SqlSession): Promise<void> {
  for (const [catalogue, text] of Object.entries(CATALOGUES)) {
    const known = `SELECT to_regclass('${catalogue}') IS NOT NULL AS known`;
    const { rows } = await session.query({ text: known, values: [] });
    if ((rows[0] as { known?: boolean } | undefined)?.known !== true) continue;
    const found = (await session.query({ text, values: [] })).rows as { readonly schema: string }[];
    if (found[0] !== undefined) throw new DistributedSchemaError(found[0].schema, catalogue);
  }
}
