import { CircuitBreaker, type RedisConnection } from '@solegate/redis-infra';
import { TripAcceptance } from './accept-trip.js';
import { AttemptLedger } from './attempt-ledger.js';
import { TripBackground } from './background-work.js';
import { DecidedOffers } from './decided-offers.js';
import { type ReservationSettings, settingsOf, type TripReservationOptions } from './reservation-options.js';
import { TripDatabase } from './trip-database.js';
import { TripDecisions } from './trip-decision.js';
import { TripGate } from './trip-gate.js';
import { TripReservation } from './trip-reservation.js';

/** Failed calls in a row after which Redis is left alone, and for how long, in milliseconds. */
const CIRCUIT = { failureMax: 3, openMs: 250 };

/** How long a process answers late drivers from memory, in milliseconds: about the length of a burst. */
const DECIDED_MEMORY_MS = 500;

/**
 * Puts a reservation together. It opens no connection and starts no background work of its own.
 *
 * @throws InvalidTripInputError for an option out of range
 */
export function createTripReservation(options: TripReservationOptions): TripReservation {
  const settings = settingsOf(options);
  const { observer, now, random } = settings;
  const database = new TripDatabase(options.database, random);
  const background = new TripBackground(options.database, database, settings);
  const attempts = new AttemptLedger(database, (error) => observer.backgroundFailed?.(error, 'ATTEMPTS'));
  const decisions = new TripDecisions({
    database,
    now,
    observer,
    startTimeoutMs: settings.startTimeoutMs,
    committed: () => background.wakeRelays(),
  });
  const acceptance = new TripAcceptance({
    gate: options.redis && createGate(options.redis, settings),
    decisions,
    decided: new DecidedOffers(DECIDED_MEMORY_MS, now),
    attempts,
    observer,
    now,
  });
  return new TripReservation({ settings, database, acceptance, background });
}

function createGate(redis: RedisConnection, { observer, now, random }: ReservationSettings): TripGate {
  return new TripGate({
    redis,
    circuit: new CircuitBreaker({ ...CIRCUIT, now }),
    bootId: Math.floor(random() * 2 ** 48).toString(36),
    failed: (error) => observer.gateFailed?.(error),
  });
}
