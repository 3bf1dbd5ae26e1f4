export { type LocalServices, type StartLocalServicesOptions, startLocalServices } from './local-services.js';
export { type DebianProgram, type UnpackedProgram, unpackDebianProgram } from './programs/debian-program.js';
export { findPostgresPrograms, type PostgresPrograms } from './programs/postgres-programs.js';
export { findRedisBinary, type RedisProgram } from './programs/redis-program.js';
export { type StartPgBouncerOptions, startPgBouncer } from './servers/pgbouncer-server.js';
export { type PostgresServer, type StartPostgresOptions, startPostgres } from './servers/postgres-server.js';
export { type RedisServer, type StartRedisOptions, startRedis } from './servers/redis-server.js';
export { temporaryPlace } from './system/data-directory.js';
export { freePort } from './system/free-port.js';
export { type ServerAccount, serverAccount } from './system/server-account.js';
export {
  AccountMissingError,
  AccountSwitchError,
  DataForeignError,
  DataInUseError,
  ProgramMissingError,
  ServerStartError,
} from './system/start-failure.js';
