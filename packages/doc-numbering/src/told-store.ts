import { OutcomeUnknownError, StoreUnavailableError } from './numbering-error.js';
import type { PooledSession, SqlPool, SqlStatement } from './sql-session.js';
import { storeFailure } from './store-failure.js';

/**
 * A pool whose failures are told in the words of numbering. `asks` is for what only reads: it may simply be asked again;
 * with `changes` a lost answer leaves open whether the change was made. What PostgreSQL refuses for its content stays as it
 * is, for the use case to explain.
 */
export function toldStore(database: SqlPool, purpose: 'asks' | 'changes'): SqlPool {
  const tell = (error: unknown): unknown => {
    switch (storeFailure(error).kind) {
      case 'unavailable':
      case 'refused':
        return new StoreUnavailableError({ cause: error });
      case 'unknown':
        return purpose === 'asks'
          ? new StoreUnavailableError({ cause: error })
          : new OutcomeUnknownError({ cause: error });
      default:
        return error;
    }
  };
  const told = async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
    try {
      return await asked;
    } catch (error) {
      throw tell(error);
    }
  };
  return {
    query: (statement: SqlStatement) => told(database.query(statement)),
    connect: async () => {
      let session: PooledSession;
      try {
        session = await database.connect();
      } catch (error) {
        throw new StoreUnavailableError({ cause: error });
      }
      return {
        query: (statement) => told(session.query(statement)),
        release: (error) => session.release(error),
        on: (event, listener) => session.on?.(event, listener),
        off: (event, listener) => session.off?.(event, listener),
      };
    },
  };
}
