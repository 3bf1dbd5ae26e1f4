import { CircuitBreaker, type CircuitState, type RedisConnection } from '@solegate/redis-infra';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { GatewayError } from '../errors/gateway-error.js';

/** Many people share an address (an office, a carrier), so an address may spend more than a person. */
const ADDRESS_FACTOR = 10;
const WINDOW_S = 1;
/** A Redis that does not answer is left alone for so long. */
const REDIS_PAUSE_MS = 1_000;

interface Spender {
  readonly subject: string | undefined;
  readonly address: string;
}

export interface RateLimiter {
  /**
   * Spends `weight` points of the subject and of the address they call from. What weighs more than a whole window costs
   * a whole window, so that it can be done at all.
   *
   * @param spent points of these that are spent already
   * @throws {GatewayError} RATE_LIMITED, with the time until the window turns
   */
  spend(who: Spender, weight: number, spent?: number): Promise<void>;
  /** Other than closed: Redis is left alone, and this process counts alone. */
  readonly circuitState: CircuitState;
}

interface Limits {
  readonly subjects: RateLimiterAbstract;
  readonly addresses: RateLimiterAbstract;
}

/**
 * Limits per subject and per address over all gateways: the windows are counted in Redis, and in memory while Redis is
 * away. Who is over the limit is remembered here until their window turns, so a flood costs Redis nothing.
 *
 * @param redis a connection of purpose `decision`: a caller waits
 * @param pointsPerSecond what a subject may spend; above 0
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

/** @throws {GatewayError} RATE_LIMITED; whatever else means that the limit could not be asked */
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
