import { CircuitBreaker, type CircuitState, type RedisConnection } from '@solegate/redis-infra';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { GatewayError } from '../errors/gateway-error.js';

/** Many people share an address (an office, a carrier), so an address may spend more than one person. */
const ADDRESS_FACTOR = 10;
const WINDOW_S = 1;
/** How long Redis is skipped after it has failed to respond. */
const REDIS_PAUSE_MS = 1_000;

interface Spender {
  readonly subject: string | undefined;
  readonly address: string;
}

export interface RateLimiter {
  /**
   * Spends `weight` points of the subject and of the address they call from. The cost is capped at one full window, so
   * that even the most expensive operation can run.
   *
   * @param spent points of `weight` that have already been spent
   * @throws {GatewayError} RATE_LIMITED, with the time until the next window
   */
  spend(who: Spender, weight: number, spent?: number): Promise<void>;
  /** Unless closed, Redis is skipped and this process counts on its own. */
  readonly circuitState: CircuitState;
}

interface Limits {
  readonly subjects: RateLimiterAbstract;
  readonly addresses: RateLimiterAbstract;
}

/**
 * Limits rates per subject and per address across all gateways. Windows are counted in Redis, or in memory while Redis
 * is unreachable. Callers over the limit are blocked in memory until the next window, so a flood does not reach Redis.
 *
 * @param redis a connection of purpose `decision`, because a caller waits
 * @param pointsPerSecond limit of a subject; above 0
 */
export function createRateLimiter(redis: RedisConnection, pointsPerSecond: number): RateLimiter {
  const breaker = new CircuitBreaker({ failureMax: 2, openMs: REDIS_PAUSE_MS });
  const shared = limitsOf(pointsPerSecond, (keyPrefix, points) => {
    return new RateLimiterRedis({
      storeClient: redis,
      keyPrefix,
      points,
      duration: WINDOW_S,
      rejectIfRedisNotReady: true,
      inMemoryBlockOnConsumed: points + 1,
      inMemoryBlockDuration: WINDOW_S,
    });
  });
  const own = limitsOf(pointsPerSecond, (keyPrefix, points) => {
    return new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_S });
  });

  return {
    get circuitState() {
      return breaker.state;
    },
    async spend(who, weight, spent = 0) {
      const points = Math.min(weight, pointsPerSecond) - spent;
      if (points <= 0) return;
      if (breaker.allows()) {
        try {
          await consume(shared, who, points);
          breaker.succeeded();
          return;
        } catch (error) {
          if (error instanceof GatewayError) {
            breaker.succeeded();
            throw error;
          }
          breaker.failed();
        }
      }
      await consume(own, who, points);
    },
  };
}

function limitsOf(points: number, make: (keyPrefix: string, points: number) => RateLimiterAbstract): Limits {
  return { subjects: make('rate:subject', points), addresses: make('rate:address', points * ADDRESS_FACTOR) };
}

/** @throws {GatewayError} RATE_LIMITED; any other error means that the limit could not be checked */
async function consume({ subjects, addresses }: Limits, { subject, address }: Spender, points: number) {
  const spending = [addresses.consume(address, points)];
  if (subject !== undefined) spending.push(subjects.consume(subject, points));
  const [refusal] = (await Promise.allSettled(spending)).filter((result) => result.status === 'rejected');
  if (refusal === undefined) return;
  if (!(refusal.reason instanceof RateLimiterRes)) throw refusal.reason;
  throw new GatewayError({
    code: 'RATE_LIMITED',
    reason: 'RATE_LIMITED',
    message: 'Too many requests; wait for retryAfterMs and send fewer.',
    retryable: true,
    retryAfterMs: Math.max(1, refusal.reason.msBeforeNext),
  });
}
