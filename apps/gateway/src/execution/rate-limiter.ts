import type { RedisConnection } from '@solegate/redis-infra';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { GatewayError } from '../errors/gateway-error.js';

/** Many people share an address (an office, a carrier), so an address may spend more than a person. */
const ADDRESS_FACTOR = 10;
const WINDOW_S = 1;

export interface RateLimiter {
  /**
   * Spends `weight` points of the subject and of the address he calls from.
   *
   * @throws {GatewayError} RATE_LIMITED, with the time until the window turns
   */
  spend(
    who: { readonly subject: string | undefined; readonly address: string },
    weight: number,
  ): Promise<void>;
}

/**
 * Limits per subject and per address over all gateways: the windows are counted in Redis, and in memory while Redis is
 * away. Who is over the limit is remembered here until his window turns, so a flood costs Redis nothing.
 *
 * @param pointsPerSecond what a subject may spend; above 0
 */
export function createRateLimiter(redis: RedisConnection, pointsPerSecond: number): RateLimiter {
  const subjects = limiterOf(redis, 'rate:subject', pointsPerSecond);
  const addresses = limiterOf(redis, 'rate:address', pointsPerSecond * ADDRESS_FACTOR);

  return {
    async spend({ subject, address }, weight) {
      const spending = [addresses.consume(address, weight)];
      if (subject !== undefined) spending.push(subjects.consume(subject, weight));
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
    },
  };
}

function limiterOf(redis: RedisConnection, keyPrefix: string, points: number): RateLimiterRedis {
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix,
    points,
    duration: WINDOW_S,
    rejectIfRedisNotReady: true,
    inMemoryBlockOnConsumed: points + 1,
    inMemoryBlockDuration: WINDOW_S,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_S }),
  });
}
