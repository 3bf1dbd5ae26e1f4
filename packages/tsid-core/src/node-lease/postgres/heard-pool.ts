import type { PooledSession, SqlPool, SqlResult } from '@solegate/postgres-infra';
import { PostgresFailure } from '@solegate/postgres-infra';

/** A session that can report notices, as clients of `pg` do. */
interface Heard {
  on?(event: 'notice', listener: (notice: { readonly code?: string | undefined }) => void): unknown;
  off?(event: 'notice', listener: (notice: { readonly code?: string | undefined }) => void): unknown;
}

/** SQLSTATE of an ordinary notice; that of a warning is another. */
const NO_WARNING = '00000';

/**
 * A pool whose statements fail if PostgreSQL warns. A wait for a synchronous standby that is cancelled ends with a
 * warning, not with an error: committed here, perhaps nowhere else, so the outcome is unknown.
 */
export function heardPool(pool: SqlPool): SqlPool {
  const heard = heardPools.get(pool) ?? {
    async connect() {
      const session = await pool.connect();
      return heardSession(session, session as unknown as Heard);
    },
    on: (event, listener) => pool.on?.(event, listener),
  };
  heardPools.set(pool, heard);
  return heard;
}

/** One for each pool, however many stores share it. */
const heardPools = new WeakMap<SqlPool, SqlPool>();

function heardSession(session: PooledSession, heard: Heard): PooledSession {
  let warning: { readonly code?: string | undefined } | undefined;
  const listen = (notice: { readonly code?: string | undefined }) => {
    if (notice.code !== NO_WARNING) warning = notice;
  };
  heard.on?.('notice', listen);
  return {
    async query(statement): Promise<SqlResult> {
      const result = await session.query(statement);
      if (warning === undefined) return result;
      const cause = warning;
      warning = undefined;
      throw new PostgresFailure('UNKNOWN', 'PostgreSQL committed without waiting for its standby', { cause });
    },
    release(error) {
      heard.off?.('notice', listen);
      session.release(error);
    },
    on: (event, listener) => session.on?.(event, listener),
    off: (event, listener) => session.off?.(event, listener),
  };
}
