import { type PostgresFailure } from '@solegate/postgres-infra';

/** Codes of every error that this package throws; the compiler can check a table over them. */
export type TripErrorCode =
  | 'INVALID_TRIP_INPUT'
  | 'TRIP_NOT_FOUND'
  | 'TRIP_CONFLICT'
  | 'TRIP_BUSY'
  | 'TRIP_STORE_UNAVAILABLE'
  | 'TRIP_OUTCOME_UNKNOWN'
  | 'TRIP_STORE_MISCONFIGURED'
  | 'TRIP_STORE_REFUSED'
  | 'TRIP_RESERVATION_CLOSED'
  | 'DRIVER_POOL_UNAVAILABLE';

/** On the errors of every copy of this package: a process can hold an ES module and a CommonJS copy. */
const ERROR = Symbol.for('@solegate/trip-reservation/error');

/**
 * Breakage, never a lost race: those are outcomes. `message` is for logs and developers, not for riders or
 * drivers. `retryable`: whether the same call may succeed later without a person acting.
 *
 * `instanceof TripReservationError` also knows the errors of another copy of this package; `code` then distinguishes the
 * classes.
 */
export abstract class TripReservationError extends Error {
  abstract readonly code: TripErrorCode;
  abstract readonly retryable: boolean;

  /** Name of the class. */
  override get name(): string {
    return this.constructor.name;
  }

  static {
    Object.defineProperty(TripReservationError.prototype, ERROR, { value: true });
  }

  /** Knows the errors of another copy of this package too, such as the one of the other module format. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the subclasses inherit this and keep the plain check
    if (this !== TripReservationError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && ERROR in value;
  }
}

/**
 * Refused before anything was asked or taken; `field` names the input and the message says what is allowed.
 */
export class InvalidTripInputError extends TripReservationError {
  readonly code = 'INVALID_TRIP_INPUT';
  readonly retryable = false;

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
  readonly retryable = false;

  constructor(readonly tripId: bigint) {
    super(`trip ${tripId} does not exist`);
  }
}

/** The ID or the idempotency key belongs to a different request. Nothing was changed. */
export class TripConflictError extends TripReservationError {
  readonly code = 'TRIP_CONFLICT';
  readonly retryable = false;

  constructor(
    readonly tripId: bigint,
    difference: string,
  ) {
    super(`trip ${tripId} exists already, with ${difference}; use a new ID and a new idempotency key`);
  }
}

/** Others changed or held what the call needs, until its time was over. Nothing was changed; repeat. */
export class TripBusyError extends TripReservationError {
  readonly code = 'TRIP_BUSY';
  readonly retryable = true;

  constructor(
    /** Undefined for a call about several trips. */
    readonly tripId: bigint | undefined,
    cause?: unknown,
  ) {
    super(
      `${tripId === undefined ? 'trips are' : `trip ${tripId} is`} being changed by others; repeat the call`,
      {
        cause,
      },
    );
  }
}

/** PostgreSQL could not be asked, or takes no changes at the moment: surely not applied. Repeat when it is back. */
export class TripStoreUnavailableError extends TripReservationError {
  readonly code = 'TRIP_STORE_UNAVAILABLE';
  readonly retryable = true;

  constructor(cause: unknown) {
    super('PostgreSQL could not be asked; nothing was changed, repeat the call later', { cause });
  }
}

/**
 * PostgreSQL was asked and did not answer: applied or not. The same call again finds out, and applies nothing
 * twice.
 */
export class TripOutcomeUnknownError extends TripReservationError {
  readonly code = 'TRIP_OUTCOME_UNKNOWN';
  readonly retryable = true;

  constructor(cause: unknown) {
    super('PostgreSQL did not answer; repeat the same call to learn what happened', { cause });
  }
}

/** PostgreSQL refuses until a person has changed something; `advice` says what. Nothing was changed. */
export class TripStoreMisconfiguredError extends TripReservationError {
  readonly code = 'TRIP_STORE_MISCONFIGURED';
  readonly retryable = false;
  readonly advice: string;

  constructor({ message, advice = '' }: { message: string; advice?: string | undefined }, cause: unknown) {
    super(message, { cause });
    this.advice = advice;
  }
}

/** PostgreSQL refused a statement of this package: a fault of the program. Nothing was changed. */
export class TripStoreRefusedError extends TripReservationError {
  readonly code = 'TRIP_STORE_REFUSED';
  readonly retryable = false;

  constructor(cause: unknown) {
    super('PostgreSQL refused a statement; nothing was changed', { cause });
  }
}

/** Called after `close()`; another process may answer. */
export class TripReservationClosedError extends TripReservationError {
  readonly code = 'TRIP_RESERVATION_CLOSED';
  readonly retryable = true;

  constructor() {
    super('this trip reservation is closed; create a new one');
  }
}

/** What a failure of PostgreSQL means to a caller. */
export function storeError(failure: PostgresFailure, tripId?: bigint): TripReservationError {
  switch (failure.kind) {
    case 'UNAVAILABLE':
      return new TripStoreUnavailableError(failure);
    case 'UNKNOWN':
      return new TripOutcomeUnknownError(failure);
    case 'BUSY':
      return new TripBusyError(tripId, failure);
    case 'CONFLICT':
      return failure.retryable ? new TripBusyError(tripId, failure) : new TripStoreRefusedError(failure);
    case 'MISCONFIGURED':
      return new TripStoreMisconfiguredError(failure, failure);
    case 'REFUSED':
      return new TripStoreRefusedError(failure);
  }
}

/** Positions of drivers cannot be had or kept now, because Redis is away. Trips go on without. */
export class DriverPoolUnavailableError extends TripReservationError {
  readonly code = 'DRIVER_POOL_UNAVAILABLE';
  readonly retryable = true;

  constructor(reason: string, options?: ErrorOptions) {
    super(`Redis keeps no positions of drivers now: ${reason}`, options);
  }
}
