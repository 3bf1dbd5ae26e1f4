import { EntityManager, type QueryRunner } from 'typeorm';
import type { SqlSession } from '../sql-session.js';

/**
 * The caller's TypeORM transaction as a session, for `issueIn(typeormSession(manager), request)`. TypeORM passes no names of
 * statements on, so they are planned at each call; a numbering itself runs faster on the pool, `dataSource.driver.master`.
 *
 * @throws TypeError when the manager is in no transaction
 */
export function typeormSession(source: EntityManager | QueryRunner): SqlSession {
  const runner = source instanceof EntityManager ? source.queryRunner : source;
  if (!runner) throw new TypeError('typeormSession needs the manager of a transaction, or a QueryRunner');
  return {
    query: async ({ text, values }) => {
      const result = await runner.query(text, values, true);
      return { rows: result.records ?? [], rowCount: result.affected ?? null };
    },
  };
}
