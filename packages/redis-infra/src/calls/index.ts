/** What uses a connection that others made: it works without ioredis, which only connecting needs. */
export { assertRedisConnection } from '../assert-redis-connection.js';
export { CircuitBreaker, type CircuitBreakerOptions, type CircuitState } from '../circuit-breaker.js';
export {
  inspectRedis,
  type RedisHealth,
  type RedisServerHealth,
  type RedisWarning,
} from '../inspect-redis.js';
export { type LoadScriptOptions, type LuaScript, loadScript } from '../lua-script.js';
export type { RedisCalls } from '../redis-calls.js';
export {
  RedisFailure,
  type RedisFailureCode,
  RedisOutcomeUnknownError,
  RedisScriptError,
  RedisUnavailableError,
  redisFailure,
} from '../redis-failure.js';
