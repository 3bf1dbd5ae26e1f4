export { type DebianProgram, type UnpackedProgram, unpackDebianProgram } from './debian-program.js';
export { freePort } from './free-port.js';
export { type LocalServices, type StartLocalServicesOptions, startLocalServices } from './local-services.js';
export { type StartPgBouncerOptions, startPgBouncer } from './pgbouncer-server.js';
export { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.js';
export { type PostgresServer, type StartPostgresOptions, startPostgres } from './postgres-server.js';
export { findRedisBinary, type RedisProgram } from './redis-program.js';
export { type RedisServer, type StartRedisOptions, startRedis } from './redis-server.js';
export { type ServerAccount, serverAccount } from './server-account.js';
export {
  AccountMissingError,
  AccountSwitchError,
  DataForeignError,
  DataInUseError,
  ProgramMissingError,
  ServerStartError,
} from './start-failure.js';
