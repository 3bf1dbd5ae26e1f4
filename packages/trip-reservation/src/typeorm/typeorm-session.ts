import { EntityManager, type QueryRunner } from 'typeorm';
import type { SqlSession } from '../sql/session.js';

/**
 * Runs statements on a caller's TypeORM transaction, such as `requestTrip({ …, session:
 * typeormSession(manager) })`. TypeORM has no named statements: they go unprepared.
 */
export function typeormSession(source: EntityManager | QueryRunner): SqlSession {
  const runner = source instanceof EntityManager ? source.queryRunner : source;
  if (!runner) throw new TypeError('typeormSession needs a manager inside a transaction, or a QueryRunner');
  return {
    query: async ({ text, values }) => {
      const { records, affected } = await runner.query(text, values, true);
      return { rows: records, rowCount: affected ?? null };
    },
  };
}
