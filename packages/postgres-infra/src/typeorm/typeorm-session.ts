import type { EntityManager, QueryRunner } from 'typeorm';
import type { SqlSession } from '../sql-session.js';

/**
 * The caller's TypeORM transaction as a session, such as for `issueIn(typeormSession(manager), request)`. TypeORM passes
 * no names of statements on, so they are planned at each call.
 *
 * @throws TypeError when the manager is in no transaction
 */
export function typeormSession(source: EntityManager | QueryRunner): SqlSession {
  // Not instanceof: an app may have a second copy of TypeORM.
  const runner = 'isTransactionActive' in source ? source : source.queryRunner;
  if (!runner) throw new TypeError('typeormSession needs the manager of a transaction, or a QueryRunner');
  return {
    query: async ({ text, values }) => {
      const { records, affected } = await runner.query(text, values, true);
      return { rows: records ?? [], rowCount: affected ?? null };
    },
  };
}
