import type { SqlSession, SqlStatement } from '../sql-session.js';
import { type Adapter, handleOf, hasMethods } from './adapter.js';

/** Of `knex.transaction((tx) => …)`. */
export interface KnexTransaction {
  readonly executionPromise: Promise<unknown>;
  isCompleted(): boolean;
}

/** What `knex()` returns. */
export interface KnexDatabase {
  readonly client: unknown;
  raw(text: string): unknown;
}

/** A connection of `pg`. */
interface Connection extends SqlSession {
  __knex__disposed?: string;
  end(): Promise<void>;
}

interface Client {
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
}

/** Statements go to the connection of `pg`: Knex numbers placeholders anew, so that those used twice lose their type. */
export const knex: Adapter = {
  recognizes: (handle) =>
    hasMethods(handle, 'raw') && hasMethods(handleOf(handle.client), 'acquireConnection'),
  session: (handle) => {
    if (handle.isTransaction !== true) return undefined;
    const { client, isCompleted } = handle as unknown as KnexTransaction & { readonly client: Client };
    return {
      query: async (statement: SqlStatement) => {
        if (isCompleted()) throw new TypeError('The transaction of Knex has ended');
        return (await client.acquireConnection()).query(statement);
      },
    };
  },
  pool: (handle) => {
    const client = handle.client as Client;
    return {
      connect: async () => {
        const connection = await client.acquireConnection();
        return {
          query: (statement) => connection.query(statement),
          release: (error) => {
            if (error) {
              connection.__knex__disposed = 'it did not respond';
              void connection.end();
            }
            void client.releaseConnection(connection);
          },
        };
      },
    };
  },
  transactionLine: 'knex.transaction((tx) => …), and pass tx',
  poolLine: 'what knex({ client: "pg", connection }) returns',
};
