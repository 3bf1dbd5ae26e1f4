import type { SqlPool, SqlSession } from '../sql-session.js';
import { type Adapter, type Handle, handleOf, hasMethods } from './adapter.js';

/** The manager of `dataSource.transaction((manager) => …)`, or a QueryRunner after `startTransaction()`. */
export type TypeormTransaction =
  | TypeormRunner
  | {
      readonly queryRunner?: TypeormRunner;
      getRepository(target: never): unknown;
      createQueryRunner?: never;
    };

/** A QueryRunner. */
export interface TypeormRunner {
  readonly isTransactionActive: boolean;
  query(text: string, values?: never[], useStructuredResult?: boolean): Promise<unknown>;
}

/** An initialized DataSource. */
export interface TypeormDatabase {
  readonly driver: unknown;
  createQueryRunner(): unknown;
}

/** Statement names are not passed on, so statements are planned on each call. */
export const runnerSession = (runner: TypeormRunner): SqlSession => ({
  query: async ({ text, values }) => {
    const { records, affected } = (await runner.query(text, values as never[], true)) as {
      readonly records?: unknown[];
      readonly affected?: number;
    };
    return { rows: records ?? [], rowCount: affected ?? null };
  },
});

const isRunner = (handle: Handle): boolean => 'isTransactionActive' in handle;

export const typeorm: Adapter = {
  recognizes: (handle) =>
    isRunner(handle) ||
    hasMethods(handle, 'createQueryRunner', 'initialize') ||
    hasMethods(handle, 'getRepository', 'transaction'),
  session: (handle) => {
    const runner = isRunner(handle) ? handle : handleOf(handle.queryRunner);
    return runner?.isTransactionActive === true
      ? runnerSession(runner as unknown as TypeormRunner)
      : undefined;
  },
  pool: (handle) => handleOf(handle.driver)?.master as SqlPool | undefined,
  transactionLine: 'dataSource.transaction((manager) => …), and pass manager',
  poolLine: 'the DataSource, after await dataSource.initialize()',
};
