import type { EntityManager, QueryRunner } from 'typeorm';
import type { SqlSession } from '../sql-session.js';

/**
 * Turns the caller's TypeORM transaction into a session, such as for `issueIn(typeormSession(manager), request)`.
 * TypeORM does not pass statement names on, so statements are planned on each call.
 *
 * @throws TypeError if the manager is not in a transaction
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
