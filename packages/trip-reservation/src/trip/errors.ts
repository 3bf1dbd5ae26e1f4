import { errorName, type PostgresFailure, recognizeCopies } from '@solegate/postgres-infra';

/** The codes of all errors of this package; a mapping over them can be checked for completeness by the compiler. */
export type TripErrorCode =
  | 'INVALID_REQUEST'
  | 'TRIP_NOT_FOUND'
  | 'TRIP_CONFLICT'
  | 'BUSY'
  | 'STORE_UNAVAILABLE'
  | 'OUTCOME_UNKNOWN'
  | 'STORE_MISCONFIGURED'
  | 'STORE_REFUSED'
  | 'TRIP_RESERVATION_CLOSED'
  | 'DRIVER_POOL_UNAVAILABLE'
  | 'TRIP_FEED_BROKEN';

/**
 * A failure, never a lost race: those are outcomes. `message` is for logs and developers, not for riders or
 * drivers. `retryable`: whether the same call can succeed later without intervention.
 *
 * `instanceof TripReservationError` also matches errors of another copy of this package; use `code` to distinguish
 * them.
 */
export abstract class TripReservationError extends Error {
  abstract readonly code: TripErrorCode;
  abstract readonly retryable: boolean;

  /** The name of the class in the source. */
  override get name(): string {
    return errorName(this.code);
  }

  static {
    recognizeCopies(TripReservationError, '@solegate/trip-reservation/error');
  }
}

/**
 * Rejected before execution; `field` names the input, and the message states what is allowed.
 */
export class InvalidRequestError extends TripReservationError {
  readonly code = 'INVALID_REQUEST';
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
    super(`trip ${tripId} already exists with ${difference}; use a new ID and a new idempotency key`);
  }
}

/** Other transactions changed or locked the rows of this call until its deadline. Nothing was changed; retry. */
export class BusyError extends TripReservationError {
  readonly code = 'BUSY';
  readonly retryable = true;

  constructor(
    /** Undefined for a call on several trips. */
    readonly tripId: bigint | undefined,
    cause?: unknown,
  ) {
    super(
      `${tripId === undefined ? 'trips are' : `trip ${tripId} is`} being changed by others; retry the call`,
      {
        cause,
      },
    );
  }
}

/** PostgreSQL is unreachable or currently rejects changes. Nothing was changed; retry when it has recovered. */
export class StoreUnavailableError extends TripReservationError {
  readonly code = 'STORE_UNAVAILABLE';
  readonly retryable = true;

  constructor(cause: unknown) {
    super('PostgreSQL is unavailable; nothing was changed, retry the call later', { cause });
  }
}

/**
 * The statement was sent but PostgreSQL did not reply, so it might have been applied. Repeating the same call
 * returns the outcome and never applies a change twice.
 */
export class OutcomeUnknownError extends TripReservationError {
  readonly code = 'OUTCOME_UNKNOWN';
  readonly retryable = true;

  constructor(cause: unknown) {
    super('PostgreSQL did not respond; repeat the same call to find out what happened', { cause });
  }
}

/** PostgreSQL must be reconfigured first; `advice` states how. Nothing was changed. */
export class StoreMisconfiguredError extends TripReservationError {
  readonly code = 'STORE_MISCONFIGURED';
  readonly retryable = false;
  readonly advice: string;

  constructor({ message, advice = '' }: { message: string; advice?: string | undefined }, cause: unknown) {
    super(message, { cause });
    this.advice = advice;
  }
}

/** PostgreSQL refused a statement of this package, which is a bug. Nothing was changed. */
export class StoreRefusedError extends TripReservationError {
  readonly code = 'STORE_REFUSED';
  readonly retryable = false;

  constructor(cause: unknown) {
    super('PostgreSQL refused a statement; nothing was changed', { cause });
  }
}

/** The call was made after `close()`, or was opening a watch or feed; another process can serve it. */
export class TripReservationClosedError extends TripReservationError {
  readonly code = 'TRIP_RESERVATION_CLOSED';
  readonly retryable = true;

  constructor() {
    super('this trip reservation is closed; create a new one');
  }
}

/** A feed cannot go on from its cursor: what was read was undone, or what follows was deleted. */
export class TripFeedBrokenError extends TripReservationError {
  readonly code = 'TRIP_FEED_BROKEN';
  readonly retryable = false;

  constructor(
    /**
     * `RESTORED`: events that were read are gone or have changed, since the database was restored or a failover lost its
     * last commits. `PRUNED`: events that were not read have been deleted with the history of their trips.
     */
    readonly why: 'RESTORED' | 'PRUNED',
    /** Cursor from which to read again; undefined: from the oldest event. */
    readonly after: string | undefined,
  ) {
    super(`the feed cannot go on from its cursor (${why}); read again from the cursor \`after\``);
  }
}

/** Translates a PostgreSQL failure into the error that callers see. */
export function storeError(failure: PostgresFailure, tripId?: bigint): TripReservationError {
  switch (failure.kind) {
    case 'UNAVAILABLE':
      return new StoreUnavailableError(failure);
    case 'UNKNOWN':
      return new OutcomeUnknownError(failure);
    case 'BUSY':
      return new BusyError(tripId, failure);
    case 'CONFLICT':
      return failure.retryable ? new BusyError(tripId, failure) : new StoreRefusedError(failure);
    case 'MISCONFIGURED':
      return new StoreMisconfiguredError(failure, failure);
    case 'REFUSED':
      return new StoreRefusedError(failure);
  }
}

/**
 * Driver positions can be neither read nor stored: Redis does not reply or, to the first call, PostgreSQL. Trips continue
 * without them.
 */
export class DriverPoolUnavailableError extends TripReservationError {
  readonly code = 'DRIVER_POOL_UNAVAILABLE';
  readonly retryable = true;

  constructor(reason: string, options?: ErrorOptions) {
    super(`driver positions are unavailable: ${reason}`, options);
  }
}
