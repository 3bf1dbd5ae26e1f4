export { assertRedisConnection } from './assert-redis-connection.js';
export { CircuitBreaker, type CircuitBreakerOptions, type CircuitState } from './circuit-breaker.js';
export {
  type ConnectRedisOptions,
  connectRedis,
  type RedisConnection,
  type RedisPurpose,
  type RedisTlsOptions,
} from './connect-redis.js';
export {
  inspectRedis,
  type RedisHealth,
  type RedisServerHealth,
  type RedisWarning,
} from './inspect-redis.js';
export {
  type AcquireOptions,
  createLockManager,
  type HeldLock,
  type LockManager,
  type LockManagerOptions,
  type LockOutcome,
  type ReleaseOutcome,
} from './lock-manager.js';
export { type LoadScriptOptions, type LuaScript, loadScript } from './lua-script.js';
export { type OpenRedisOptions, openRedis } from './open-redis.js';
export { createPubSub, type PubSub, type PubSubOptions } from './pub-sub.js';
export type { RedisCalls } from './redis-calls.js';
export {
  RedisFailure,
  type RedisFailureCode,
  RedisOutcomeUnknownError,
  RedisScriptError,
  RedisUnavailableError,
  redisFailure,
} from './redis-failure.js';
export { RedisUrlError } from './redis-url.js';
export type { PubSubEvent, Subscription } from './subscription.js';
