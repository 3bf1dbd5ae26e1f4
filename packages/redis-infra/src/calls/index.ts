/** What uses a connection that others made: it works without ioredis, which only connecting needs. */
export { assertRedisConnection } from '../assert-redis-connection.js';
export { CircuitBreaker, type CircuitBreakerOptions, type CircuitState } from '../circuit-breaker.js';
export type { RedisConnection } from '../connect-redis.js';
export { type LoadScriptOptions, type LuaScript, loadScript } from '../lua-script.js';
export {
  RedisFailure,
  type RedisFailureCode,
  RedisOutcomeUnknownError,
  RedisScriptError,
  RedisUnavailableError,
  redisFailure,
} from '../redis-failure.js';
