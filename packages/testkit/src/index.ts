export { ConnectionLeakError } from './connection-leak.js';
export { Dice } from './dice.js';
export { delay, type FaultMode, type FaultProxy, type FaultScope, startFaultProxy } from './fault-proxy.js';
export { ChildSilentError, forkTypeScript, type TypeScriptChild } from './fork-typescript.js';
export {
  type Clash,
  findDuplicates,
  findGap,
  findOrderBreak,
  findOverwrite,
  type Gap,
  type HistoryValue,
  type HistoryView,
} from './history.js';
export { type ManualClock, manualClock } from './manual-clock.js';
export { type PgBouncer, type PgBouncerOptions, startPgBouncer } from './pgbouncer.js';
export type { ReplicaOptions } from './postgres-replica.js';
export { type PostgresTestServer, startPostgresServer } from './postgres-server.js';
export { type Barrier, race, valuesOf } from './race.js';
export { type ClusterOptions, type ClusterTestGroup, startRedisCluster } from './redis-cluster.js';
export { type SentinelOptions, type SentinelTestGroup, startSentinel } from './redis-sentinel.js';
export {
  type RedisRestartOptions,
  type RedisServerOptions,
  type RedisSnapshot,
  type RedisTestServer,
  startRedisServer,
  startSentinelServer,
} from './redis-server.js';
export { type TestMigration, TestMigrationError } from './template-database.js';
export {
  createTestDatabase,
  type TestDatabase,
  type TestDatabaseOptions,
} from './test-database.js';
export { createTestRedis, type TestRedis } from './test-redis.js';
export { TestServerError, testPooler } from './test-run.js';
export { type UntilOptions, UntilTimeoutError, until } from './until.js';
