/** Codes of every error that this package throws; the compiler can check a table over them. */
export type TripErrorCode =
  | 'INVALID_TRIP_INPUT'
  | 'TRIP_NOT_FOUND'
  | 'TRIP_CONFLICT'
  | 'TRIP_BUSY'
  | 'TRIP_STORE_UNAVAILABLE'
  | 'TRIP_OUTCOME_UNKNOWN'
  | 'TRIP_RESERVATION_CLOSED';

/**
 * Breakage, never a lost race: those are outcomes. `message` is for logs and developers, not for riders or
 * drivers.
 */
export abstract class TripReservationError extends Error {
  abstract readonly code: TripErrorCode;

  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * Refused before anything was asked or taken; `field` names the input and the message says what is allowed.
 */
export class InvalidTripInputError extends TripReservationError {
  readonly code = 'INVALID_TRIP_INPUT';

  constructor(
    readonly field: string,
    expectation: string,
  ) {
    super(`${field} ${expectation}`);
  }
}

/** No trip has this ID. */
export class TripNotFoundError extends TripReservationError {
  readonly code = 'TRIP_NOT_FOUND';

  constructor(readonly tripId: bigint) {
    super(`trip ${tripId} does not exist`);
  }
}

/** The ID or the idempotency key belongs to a different request. Nothing was changed. */
export class TripConflictError extends TripReservationError {
  readonly code = 'TRIP_CONFLICT';

  constructor(
    readonly tripId: bigint,
    difference: string,
  ) {
    super(`trip ${tripId} exists already, with ${difference}; use a new ID and a new idempotency key`);
  }
}

/** Others changed the trip or the driver at every attempt. Nothing was changed; repeat. */
export class TripBusyError extends TripReservationError {
  readonly code = 'TRIP_BUSY';

  constructor(
    readonly tripId: bigint,
    readonly attemptCount: number,
  ) {
    super(`trip ${tripId} changed under each of ${attemptCount} attempts; repeat the call`);
  }
}

/** PostgreSQL could not be asked: surely not applied. Repeat when it is back. */
export class TripStoreUnavailableError extends TripReservationError {
  readonly code = 'TRIP_STORE_UNAVAILABLE';

  constructor(cause: unknown) {
    super('PostgreSQL could not be asked; nothing was changed, repeat the call later', { cause });
  }
}

/**
 * PostgreSQL was asked and did not answer: applied or not. The same call again tells, and applies nothing
 * twice.
 */
export class TripOutcomeUnknownError extends TripReservationError {
  readonly code = 'TRIP_OUTCOME_UNKNOWN';

  constructor(cause: unknown) {
    super('PostgreSQL did not answer; repeat the same call to learn what happened', { cause });
  }
}

/** Called after `close()`. */
export class TripReservationClosedError extends TripReservationError {
  readonly code = 'TRIP_RESERVATION_CLOSED';

  constructor() {
    super('this trip reservation is closed; create a new one');
  }
}
