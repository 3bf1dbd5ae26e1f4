import { openPool } from '../../running/database-pool.js';

/** The queries of the original design, one round trip each. */
export interface OriginalTables {
  readCounter(code: string): Promise<CounterRow | undefined>;
  /** Returns false if the version has changed. */
  raiseCounter(code: string, to: { readonly next: number; readonly version: string }): Promise<boolean>;
  readTemplate(code: string): Promise<string | undefined>;
  readCode(kind: string, id: number): Promise<string | undefined>;
  close(): Promise<void>;
}

interface CounterRow {
  readonly code: string;
  readonly last_number: string;
  readonly version: string;
  readonly updated_at: Date;
}

interface FormatRow {
  readonly code: string;
  readonly template: string;
}

interface CodeRow {
  readonly kind: string;
  readonly id: number;
  readonly code: string;
}

/** Opens them through `pg`. Statements are not prepared, as with TypeORM, which the original design uses. */
export async function originalTables(databaseUrl: string, poolSize: number): Promise<OriginalTables> {
  const pool = openPool(databaseUrl, poolSize);
  return {
    readCounter: async (code) => {
      const text = 'SELECT last_number, version FROM baseline_counters WHERE code = $1';
      return (await pool.query<CounterRow>(text, [code])).rows[0];
    },
    raiseCounter: async (code, { next, version }) => {
      const text = `UPDATE baseline_counters SET last_number = $1, version = version + 1, updated_at = now()
                    WHERE code = $2 AND version = $3`;
      return (await pool.query(text, [next, code, version])).rowCount === 1;
    },
    readTemplate: async (code) => {
      const text = 'SELECT template FROM baseline_formats WHERE code = $1';
      return (await pool.query<FormatRow>(text, [code])).rows[0]?.template;
    },
    readCode: async (kind, id) => {
      const text = 'SELECT code FROM baseline_codes WHERE kind = $1 AND id = $2';
      return (await pool.query<CodeRow>(text, [kind, id])).rows[0]?.code;
    },
    close: () => pool.end(),
  };
}

/** Opens them through repositories and the query builder of TypeORM, as in the original design. */
export async function originalTablesThroughTypeorm(
  databaseUrl: string,
  poolSize: number,
): Promise<OriginalTables> {
  const { DataSource, EntitySchema } = await import('typeorm');
  const text = { type: String, primary: true } as const;
  const counters = new EntitySchema<CounterRow>({
    name: 'baseline_counters',
    columns: {
      code: text,
      last_number: { type: 'bigint' },
      version: { type: 'bigint' },
      updated_at: { type: 'timestamptz' },
    },
  });
  const formats = new EntitySchema<FormatRow>({
    name: 'baseline_formats',
    columns: { code: text, template: { type: String } },
  });
  const codes = new EntitySchema<CodeRow>({
    name: 'baseline_codes',
    columns: { kind: text, id: { type: Number, primary: true }, code: { type: String } },
  });
  const source = await new DataSource({
    type: 'postgres',
    url: databaseUrl,
    entities: [counters, formats, codes],
    extra: { max: poolSize },
  }).initialize();
  return {
    readCounter: async (code) => (await source.getRepository(counters).findOneBy({ code })) ?? undefined,
    raiseCounter: async (code, { next, version }) => {
      const { affected } = await source
        .createQueryBuilder()
        .update(counters)
        .set({ last_number: String(next), version: () => 'version + 1', updated_at: () => 'now()' })
        .where('code = :code AND version = :version', { code, version })
        .execute();
      return affected === 1;
    },
    readTemplate: async (code) => (await source.getRepository(formats).findOneBy({ code }))?.template,
    readCode: async (kind, id) => (await source.getRepository(codes).findOneBy({ kind, id }))?.code,
    close: () => source.destroy(),
  };
}
