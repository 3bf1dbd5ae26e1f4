import { CircuitBreaker, type CircuitState, type RedisConnection } from '@solegate/redis-infra';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { GatewayError } from '../errors/gateway-error.js';

/*
 * Limits rates per subject and per address across all gateways, without a call to Redis for each request.
 *
 * Redis has the account: the points of each second. A process lets callers spend up to a tenth of their limit before it
 * asks; it settles what was spent every 100 ms, or at once when the tenth is used up. So a caller can exceed a limit by
 * a tenth of it for each process, at most.
 *
 * Failures:
 * - Redis does not respond: each process counts on its own until it does.
 * - a caller is over the limit: refused from memory until their second is over, so a flood does not reach Redis.
 * - more callers than fit into memory: those who do not fit are counted in Redis, one call for each request.
 */

/** Many people share an address (an office, a carrier), so an address may spend more than one person. */
const ADDRESS_FACTOR = 10;
const WINDOW_S = 1;
const WINDOW_MS = WINDOW_S * 1_000;
const SETTLE_MS = 100;
/** The part of a limit that may be spent before Redis is asked. */
const ALLOWANCE = 0.1;
const ACCOUNTS_MAX = 100_000;
/** How long Redis is skipped after it has failed to respond. */
const REDIS_PAUSE_MS = 1_000;

interface Spender {
  readonly subject: string | undefined;
  readonly address: string;
}

/** The points of one subject or address within one second, as far as this process knows. */
interface Account {
  readonly key: string;
  readonly limit: number;
  endsAtMs: number;
  /** By all gateways when it was settled, and by this one since. */
  spent: number;
  /** Spent here, and not yet reported to Redis. */
  unsettled: number;
  /** On its way to Redis. */
  reported: number;
}

/** See the top of this file. */
export class RateLimiter {
  readonly #breaker = new CircuitBreaker({ failureMax: 1, openMs: REDIS_PAUSE_MS });
  /** In the order in which their seconds began. */
  readonly #accounts = new Map<string, Account>();
  readonly #unsettled = new Set<Account>();
  readonly #shared: RateLimiterRedis;
  readonly #timer: NodeJS.Timeout;

  /**
   * @param redis a connection of purpose `decision`, because a caller may wait
   * @param pointsPerSecond limit of a subject; above 0
   * @param now monotonic milliseconds
   */
  constructor(
    redis: RedisConnection,
    private readonly pointsPerSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#shared = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: 'rate',
      points: pointsPerSecond,
      duration: WINDOW_S,
      rejectIfRedisNotReady: true,
    });
    this.#timer = setInterval(() => void this.settle(), SETTLE_MS).unref();
  }

  /** Unless closed, Redis is skipped and this process counts on its own. */
  get circuitState(): CircuitState {
    return this.#breaker.state;
  }

  /**
   * Spends `weight` points of the subject and of the address they call from. The cost is capped at one full window, so
   * that even the most expensive operation can run.
   *
   * @param alreadySpent points of `weight` that have already been spent
   * @throws {GatewayError} RATE_LIMITED, with the time until the next window
   */
  async spend({ subject, address }: Spender, weight: number, alreadySpent = 0): Promise<void> {
    const points = Math.min(weight, this.pointsPerSecond) - alreadySpent;
    if (points <= 0) return;
    const accounts = [this.#account(`address:${address}`, this.pointsPerSecond * ADDRESS_FACTOR)];
    if (subject !== undefined) accounts.push(this.#account(`subject:${subject}`, this.pointsPerSecond));
    for (const account of accounts) {
      if (account.spent >= account.limit) throw this.#refusal(account);
    }
    for (const account of accounts) {
      account.spent += points;
      account.unsettled += points;
      this.#unsettled.add(account);
    }
    const overdrawn = accounts.filter(
      ({ key, limit, unsettled }) => unsettled > limit * ALLOWANCE || !this.#accounts.has(key),
    );
    if (overdrawn.length > 0) await this.#settleAll(overdrawn);
    for (const account of accounts) {
      if (account.spent > account.limit) throw this.#refusal(account);
    }
  }

  /** Reports what was spent, and forgets the callers whose second is over. */
  async settle(): Promise<void> {
    const now = this.now();
    for (const { key, endsAtMs } of this.#accounts.values()) {
      if (endsAtMs > now) break;
      this.#accounts.delete(key);
    }
    await this.#settleAll([...this.#unsettled]);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #account(key: string, limit: number): Account {
    const now = this.now();
    const known = this.#accounts.get(key);
    if (known !== undefined && known.endsAtMs > now) return known;
    const account = { key, limit, endsAtMs: now + WINDOW_MS, spent: 0, unsettled: 0, reported: 0 };
    if (known !== undefined) this.#accounts.delete(key);
    if (this.#accounts.size < ACCOUNTS_MAX) this.#accounts.set(key, account);
    return account;
  }

  /** Sends all accounts at once; Redis returns what all gateways have spent. */
  async #settleAll(accounts: readonly Account[]): Promise<void> {
    for (const account of accounts) this.#unsettled.delete(account);
    if (accounts.length === 0 || !this.#breaker.allows()) return;
    try {
      await Promise.all(accounts.map((account) => this.#report(account)));
      this.#breaker.succeeded();
    } catch {
      this.#breaker.failed();
    }
  }

  async #report(account: Account): Promise<void> {
    const points = account.unsettled;
    account.unsettled = 0;
    account.reported += points;
    try {
      const { consumedPoints, msBeforeNext } = await this.#shared.penalty(account.key, points);
      account.spent = consumedPoints + account.unsettled + account.reported - points;
      account.endsAtMs = this.now() + msBeforeNext;
    } finally {
      account.reported -= points;
    }
  }

  #refusal({ endsAtMs }: Account): GatewayError {
    return new GatewayError({
      code: 'RATE_LIMITED',
      reason: 'RATE_LIMITED',
      message: 'Too many requests; wait for retryAfterMs and send fewer.',
      retryable: true,
      retryAfterMs: Math.max(1, Math.ceil(endsAtMs - this.now())),
    });
  }
}
