import type { SqlSession } from '../sql-session.js';
import { type Adapter, handleOf, hasMethods } from './adapter.js';

/** Of `sequelize.transaction((tx) => …)`. */
export interface SequelizeTransaction {
  afterCommit(listener: never): unknown;
  commit(): Promise<void>;
}

/** `new Sequelize(url)`. */
export interface SequelizeDatabase {
  readonly connectionManager: unknown;
  authenticate(): Promise<void>;
}

interface ConnectionManager {
  getConnection(options: object): Promise<SqlSession>;
  releaseConnection(connection: SqlSession): unknown;
  destroyConnection(connection: SqlSession): unknown;
}

/** Statements go to the connection of `pg`. */
export const sequelize: Adapter = {
  recognizes: (handle) =>
    hasMethods(handle, 'afterCommit', 'commit') ||
    hasMethods(handleOf(handle.connectionManager), 'getConnection'),
  session: (handle) => {
    if (!hasMethods(handle, 'afterCommit', 'commit') || handle.finished !== undefined) return undefined;
    return {
      query: async (statement) => {
        const connection = handleOf(handle.connection);
        if (!connection) throw new TypeError('The transaction of Sequelize has ended');
        return (connection as unknown as SqlSession).query(statement);
      },
    };
  },
  pool: (handle) => {
    const connections = handle.connectionManager as ConnectionManager;
    return {
      connect: async () => {
        const connection = await connections.getConnection({ type: 'write', useMaster: true });
        return {
          query: (statement) => connection.query(statement),
          release: (error) =>
            void (error
              ? connections.destroyConnection(connection)
              : connections.releaseConnection(connection)),
        };
      },
    };
  },
  transactionLine: 'sequelize.transaction((tx) => …), and pass tx',
  poolLine: 'the instance of Sequelize',
};
