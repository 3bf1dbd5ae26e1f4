import type { SqlSession } from './sql-session.js';

/** The tables of this schema are distributed over servers by Citus, where what guards them does not hold. Nothing was changed. */
export class DistributedSchemaError extends Error {
  override readonly name = 'DistributedSchemaError';
  readonly code = 'SCHEMA_DISTRIBUTED';
  readonly retryable = false;

  constructor(
    readonly schema: string,
    /** The catalogue of Citus that lists it. */
    readonly catalogue: string,
  ) {
    super(
      `Citus distributes the schema "${schema}" (${catalogue} lists it). There a trigger that also names TRUNCATE is not made ` +
        'on the shards, so rows that are written once could be changed, and unique keys are reported under other names, so ' +
        'idempotency keys fail. Use a schema that Citus leaves alone (local tables), or an ordinary PostgreSQL',
    );
  }
}

/** By table, and since Citus 12 by schema. */
const CATALOGUES = {
  pg_dist_partition: `
    SELECT current_schema() AS schema FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE c.relnamespace = current_schema()::regnamespace LIMIT 1`,
  pg_dist_schema: `
    SELECT current_schema() AS schema FROM pg_dist_schema WHERE schemaid = current_schema()::regnamespace`,
};

/**
 * For whoever runs migrations, before the first one.
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
