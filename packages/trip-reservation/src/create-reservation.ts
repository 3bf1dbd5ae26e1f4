import { BoundedDatabase } from '@solegate/postgres-infra';
import { CircuitBreaker, type RedisConnection } from '@solegate/redis-infra';
import { TripAcceptance } from './accept/acceptance.js';
import { AttemptLedger } from './accept/attempts.js';
import { DecidedOffers } from './accept/decided-offers.js';
import { TripDecisions } from './accept/decision.js';
import { HOLD_MS, TripGate } from './accept/gate.js';
import { IneligibleDrivers } from './accept/ineligible-drivers.js';
import { UndecidedOffers } from './accept/undecided-offers.js';
import { TripBackground } from './background.js';
import { TripWatcher } from './events/watch.js';
import { NearestOffers } from './moves/nearest.js';
import { type ReservationSettings, settingsOf, type TripReservationOptions } from './options.js';
import { TripReservation } from './reservation.js';
import { TripDatabase } from './sql/database.js';
import { HeldRows } from './sql/held-rows.js';

/** Consecutive failures after which Redis is skipped, and for how long, in milliseconds. */
const CIRCUIT = { failureMax: 3, openMs: 250 };

/** How long a process answers late drivers from memory, in milliseconds: about the length of a burst. */
const DECIDED_MEMORY_MS = 500;

/**
 * Creates a reservation. Opens no connection and starts no background work.
 *
 * @throws InvalidTripInputError for an option out of range
 */
export function createTripReservation(options: TripReservationOptions): TripReservation {
  const settings = settingsOf(options);
  const { observer, now, requestTimeoutMs } = settings;
  const database = createDatabase(options, settings);
  const nearest = new NearestOffers(options.drivers, observer);
  const background = new TripBackground(database, settings, nearest);
  const attempts = new AttemptLedger(database, (error) => observer.backgroundFailed?.(error, 'ATTEMPTS'));
  const decisions = new TripDecisions({
    database,
    now,
    observer,
    requestTimeoutMs,
    startTimeoutMs: settings.startTimeoutMs,
    committed: () => background.wakeRelays(),
  });
  const undecided = new UndecidedOffers({
    database,
    now,
    waitMs: HOLD_MS,
    announced: () => background.wakeRelays(),
    failed: (error) => observer.backgroundFailed?.(error, 'REMINDER'),
  });
  const acceptance = new TripAcceptance({
    gate: options.redis && createGate(options.redis, settings),
    decisions,
    decided: new DecidedOffers(DECIDED_MEMORY_MS, now),
    ineligible: new IneligibleDrivers(now),
    undecided,
    attempts,
    observer,
    requestTimeoutMs,
    now,
  });
  const watcher = new TripWatcher({
    database,
    requestTimeoutMs,
    failed: (error) => observer.backgroundFailed?.(error, 'WATCH'),
  });
  return new TripReservation({ settings, database, acceptance, background, watcher, nearest });
}

/** At most half of the connections wait for locked rows. */
function createDatabase(options: TripReservationOptions, settings: ReservationSettings): TripDatabase {
  const { connectionMax, random } = settings;
  const { database: pool, namedStatements } = options;
  return new TripDatabase({
    database: new BoundedDatabase({ pool, connectionMax, namedStatements, random }),
    heldRows: new HeldRows(Math.max(1, Math.floor(connectionMax / 2))),
    random,
  });
}

function createGate(redis: RedisConnection, settings: ReservationSettings): TripGate {
  const { observer, now, random, gateTimeoutMs } = settings;
  return new TripGate({
    redis,
    timeoutMs: gateTimeoutMs,
    circuit: new CircuitBreaker({ ...CIRCUIT, now }),
    bootId: Math.floor(random() * 2 ** 48).toString(36),
    failed: (error) => observer.gateFailed?.(error),
  });
}
