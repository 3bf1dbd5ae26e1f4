import { BoundedDatabase, Places } from '@solegate/postgres-infra';
import { assertRedisConnection, CircuitBreaker } from '@solegate/redis-infra/calls';
import { TripAcceptance } from './accept/acceptance.js';
import { AttemptLedger } from './accept/attempts.js';
import { TripDecisions } from './accept/decision.js';
import { HOLD_MS, TripGate } from './accept/gate.js';
import { GateNotices } from './accept/gate-notices.js';
import { KnownAnswers } from './accept/known-answers.js';
import { UndecidedOffers } from './accept/undecided-offers.js';
import { TripBackground } from './background.js';
import { TripFeeds } from './events/open-feed.js';
import { TripWatcher } from './events/watch.js';
import { WriteNotices } from './events/write-notices.js';
import { NearestOffers } from './moves/nearest.js';
import { type ReservationSettings, settingsOf, type TripReservationOptions } from './options.js';
import { TripReservation } from './reservation.js';
import { TripDatabase } from './sql/database.js';
import { Namespace } from './sql/namespace.js';
import { InvalidRequestError } from './trip/errors.js';

/** Consecutive failures after which Redis is skipped, and for how long, in milliseconds. */
const CIRCUIT = { failureMax: 3, openMs: 250 };

/**
 * Creates a reservation. Opens no connection and starts no background work.
 *
 * @throws InvalidRequestError for an option out of range
 */
export function createTripReservation(options: TripReservationOptions): TripReservation {
  const settings = settingsOf(options);
  const { observer, now, pool, connectionMax, random } = settings;
  const { namedStatements } = options;
  const bounded = new BoundedDatabase({ pool, connectionMax, namedStatements, random });
  // At most half of the connections wait for locked rows.
  const heldRows = new Places(Math.max(1, Math.floor(connectionMax / 2)));
  const database = new TripDatabase({ database: bounded, heldRows, random });
  const namespace = new Namespace(options.namespace, bounded);
  const nearest = new NearestOffers(options.drivers, observer);
  const notices = new WriteNotices({ ...settings, pubSub: options.pubSub, namespace });
  const background = new TripBackground({ database, namespace, settings, nearest, notices });
  const attempts = options.countAttempts
    ? new AttemptLedger(database, random, (error) => observer.backgroundFailed?.(error, 'ATTEMPTS'))
    : undefined;
  const events = { expected: () => notices.say(), written: () => background.wakeRelays() };
  const decisions = new TripDecisions({ ...settings, ...events, database });
  const undecided = new UndecidedOffers({
    ...settings,
    ...events,
    database,
    waitMs: HOLD_MS,
    failed: (error) => observer.backgroundFailed?.(error, 'REMINDER'),
  });
  const known = new KnownAnswers(now);
  const acceptance = new TripAcceptance({
    ...settings,
    gate: createGate(options, namespace, settings),
    decisions,
    known,
    undecided,
    won: (...facts) => nearest.won(...facts),
    attempts,
  });
  const watcher = new TripWatcher({
    ...settings,
    database,
    namespace,
    pubSub: options.pubSub,
    failed: (error) => observer.backgroundFailed?.(error, 'WATCH'),
  });
  const feeds = new TripFeeds({
    ...settings,
    database,
    failed: (error) => observer.backgroundFailed?.(error, 'FEED'),
  });
  return new TripReservation({
    settings,
    database,
    namespace,
    acceptance,
    known,
    background,
    notices,
    watcher,
    feeds,
    nearest,
  });
}

function createGate(
  { redis, pubSub }: TripReservationOptions,
  namespace: Namespace,
  { observer, now, random, gateTimeoutMs }: ReservationSettings,
): TripGate | undefined {
  if (redis === undefined) return undefined;
  assertRedisConnection(redis, (problem) => new InvalidRequestError('redis', problem));
  const failed = (error: Error) => observer.gateFailed?.(error);
  const bootId = Math.floor(random() * 2 ** 48)
    .toString(36)
    .padStart(10, '0');
  return new TripGate({
    redis,
    namespace,
    notices: pubSub && new GateNotices({ pubSub, bootId, failed }),
    timeoutMs: gateTimeoutMs,
    circuit: new CircuitBreaker({ ...CIRCUIT, now }),
    bootId,
    failed,
  });
}
