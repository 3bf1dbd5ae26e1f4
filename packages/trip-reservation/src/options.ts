import type { RedisConnection } from '@solegate/redis-infra';
import type { SqlPool } from './sql/session.js';
import { InvalidTripInputError } from './trip/errors.js';
import { assertWhole, OFFER_TTL_MAX_MS } from './trip/input.js';
import { guardedObserver, type TripObserver } from './trip/observer.js';

export interface TripReservationOptions {
  /** The primary, never a replica. Two of its connections serve all accepts of a process. */
  readonly database: SqlPool;
  /**
   * A connection of purpose `decision`. Without it every accept goes straight to PostgreSQL: slower, as safe.
   */
  readonly redis?: RedisConnection;
  /** How long an offer lasts unless the trip says otherwise, 1 to 3,600,000 ms. Default 15,000. */
  readonly offerTtlMs?: number;
  /** Offers in a row that may run out before the trip is EXPIRED, 1 to 100. Default 1. */
  readonly offerRoundMax?: number;
  /** A driver who has not started by then is taken off the trip, 1 to 86,400,000 ms. Default 1,800,000. */
  readonly startTimeoutMs?: number;
  readonly observer?: TripObserver;
  /**
   * Milliseconds for circuit, memory and measurements; nothing that decides uses it. Default: `performance`.
   */
  readonly clock?: { now(): number };
  /** 0 <= x < 1; spreads retries and background work of several gateways. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Options with every default in place. */
export interface ReservationSettings {
  readonly offerTtlMs: number;
  readonly offerRoundMax: number;
  readonly startTimeoutMs: number;
  readonly observer: TripObserver;
  readonly now: () => number;
  readonly random: () => number;
  /** Where a relay publishes unless it is told otherwise. */
  readonly relay: { readonly redis?: RedisConnection };
}

/** @throws InvalidTripInputError */
export function settingsOf(options: TripReservationOptions): ReservationSettings {
  const { database, offerTtlMs = 15_000, offerRoundMax = 1, startTimeoutMs = 1_800_000 } = options;
  if (typeof database?.query !== 'function' || typeof database.connect !== 'function') {
    throw new InvalidTripInputError(
      'database',
      'must be a pool with query() and connect(), such as a pg Pool',
    );
  }
  assertWhole('offerTtlMs', offerTtlMs, 1, OFFER_TTL_MAX_MS);
  assertWhole('offerRoundMax', offerRoundMax, 1, 100);
  assertWhole('startTimeoutMs', startTimeoutMs, 1, 86_400_000);
  const clock = options.clock ?? performance;
  return {
    offerTtlMs,
    offerRoundMax,
    startTimeoutMs,
    observer: options.observer ? guardedObserver(options.observer) : {},
    now: () => clock.now(),
    random: options.random ?? Math.random,
    relay: options.redis ? { redis: options.redis } : {},
  };
}
