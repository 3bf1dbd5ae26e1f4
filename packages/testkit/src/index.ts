export { freePort } from '@solegate/local-services';
export {
  delay,
  type FaultMode,
  type FaultProxy,
  type FaultScope,
  startFaultProxy,
} from './faults/fault-proxy.js';
export { watchedPool } from './faults/watched-pool.js';
export {
  GATEWAY_PROGRAM,
  type GatewayOptions,
  GatewayProcess,
  runGateway,
  startGateway,
  startGatewayWithStores,
} from './gateway/gateway-process.js';
export { Dice } from './judging/dice.js';
export {
  type Clash,
  findDuplicates,
  findGap,
  type Gap,
  type HistoryValue,
  type HistoryView,
} from './judging/history.js';
export { type ManualClock, manualClock } from './judging/manual-clock.js';
export { type Barrier, race, valuesOf } from './judging/race.js';
export { type UntilOptions, UntilTimeoutError, until } from './judging/until.js';
export { ChildSilentError, forkTypeScript, type TypeScriptChild } from './processes/fork-typescript.js';
export { type ServiceOptions, ServiceProcess, type ServiceRun } from './processes/service-process.js';
export { ConnectionLeakError } from './run/connection-leak.js';
export { type TestMigration, TestMigrationError } from './run/template-database.js';
export {
  createTestDatabase,
  type TestDatabase,
  type TestDatabaseOptions,
} from './run/test-database.js';
export { createTestRedis, type TestRedis } from './run/test-redis.js';
export { TestServerError, testPooler } from './run/test-run.js';
export { Authority, type Certificate } from './servers/certificate-authority.js';
export { startEndingPostgres } from './servers/ending-postgres.js';
export { type PgBouncer, type PgBouncerOptions, startPgBouncer } from './servers/pgbouncer.js';
export type { ReplicaOptions } from './servers/postgres-replica.js';
export { type PostgresTestServer, startPostgresServer } from './servers/postgres-server.js';
export { type ClusterOptions, type ClusterTestGroup, startRedisCluster } from './servers/redis-cluster.js';
export { type SentinelOptions, type SentinelTestGroup, startSentinel } from './servers/redis-sentinel.js';
export {
  type RedisRestartOptions,
  type RedisServerOptions,
  type RedisSnapshot,
  type RedisTestServer,
  startRedisServer,
  startSentinelServer,
} from './servers/redis-server.js';
