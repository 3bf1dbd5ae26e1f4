export {
  BoundedDatabase,
  type BoundedDatabaseOptions,
  type ChangeOptions,
} from './bounded-database.js';
export { Places } from './connections.js';
export { Deadline, settleBy } from './deadline.js';
export { type ErrorBase, type ErrorOf, errorName, recognizeCopies } from './error-identity.js';
export { lockLimit, withLockLimit } from './lock-limit.js';
export { DistributedSchemaError, refuseDistributedSchema } from './migrations/distributed-schema.js';
export {
  checkSchema,
  type MigrateOptions,
  type Migration,
  type MigrationReport,
  migrate,
} from './migrations/migrate.js';
export { MigrationChangedError, SchemaTooNewError } from './migrations/migration-error.js';
export { pinFunctions, programGrants } from './migrations/rights.js';
export { nearestName, refuseUnknownOptions } from './option-names.js';
export { type Look, PolledFeed, type PolledFeedOptions, type ReadyFact } from './polled-feed.js';
export {
  inDoubt,
  notApplied,
  PostgresFailure,
  type PostgresFailureKind,
  postgresFailure,
  postgresFailureIn,
} from './postgres-failure.js';
export { quoteIdentifier, quoteLiteral } from './quoting.js';
export { type RepeatOptions, type RetryFacts, repeat, repeatPauseMs } from './repeat.js';
export {
  poolOf,
  type Refuse,
  type SqlDatabase,
  type SqlTransaction,
  sessionOf,
} from './sessions/session-of.js';
export type {
  PooledSession,
  SqlPool,
  SqlResult,
  SqlSession,
  SqlStatement,
  TransactionSession,
} from './sql-session.js';
export type { TransactionOptions } from './transaction.js';
