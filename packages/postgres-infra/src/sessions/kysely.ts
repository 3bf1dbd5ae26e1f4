import { type Adapter, hasMethods, plainValues, withTextForJson } from './adapter.js';

/** Of `db.transaction().execute((tx) => …)` or `db.startTransaction()`. */
export interface KyselyTransaction {
  readonly isTransaction: true;
  executeQuery(query: never): Promise<unknown>;
}

interface Executor {
  /** Plugins would rename columns. */
  withoutPlugins(): Executor;
  executeQuery(query: object): Promise<{ readonly rows: unknown[]; readonly numAffectedRows?: bigint }>;
}

export const kysely: Adapter = {
  recognizes: (handle) => hasMethods(handle, 'executeQuery', 'withoutPlugins'),
  session: (handle) => {
    if (handle.isTransaction !== true) return undefined;
    const executor = (handle as unknown as Executor).withoutPlugins();
    return {
      query: async ({ text: given, values }) => {
        const text = withTextForJson(given);
        const query = { kind: 'RawNode', sqlFragments: [text], parameters: [] };
        const compiled = {
          sql: text,
          parameters: plainValues(values),
          query,
          queryId: { queryId: 'solegate' },
        };
        const { rows, numAffectedRows } = await executor.executeQuery(compiled);
        return { rows, rowCount: numAffectedRows === undefined ? rows.length : Number(numAffectedRows) };
      },
    };
  },
  transactionLine: 'db.transaction().execute((tx) => …), and pass tx',
  poolLine: 'the Pool that was given to PostgresDialect',
};
