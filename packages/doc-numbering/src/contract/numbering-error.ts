/** The request must change. */
type RequestCode = 'INVALID_REQUEST' | 'UNKNOWN_CODE' | 'KEY_REUSED' | 'NUMBER_NOT_FOUND' | 'NUMBER_STATE';
/** The set-up must change, or is another than the caller believes. */
type FormatCode = 'INVALID_FORMAT' | 'UNKNOWN_TOKEN' | 'AMBIGUOUS_FORMAT' | 'NO_FORMAT' | 'FORMAT_IN_USE';
type SeriesCode = 'UNKNOWN_SERIES' | 'SERIES_IN_USE' | 'SERIES_CHANGED' | 'SERIES_BLOCKED';
/** The counter cannot give this number. */
type CounterCode = 'EXHAUSTED' | 'PERIOD_CLOSED' | 'DATE_ORDER' | 'DUPLICATE' | 'COUNTER_REGRESSION';
/** The stores, or who else uses them. */
type StoreCode = 'BUSY' | 'STORE_UNAVAILABLE' | 'OUTCOME_UNKNOWN' | 'STORE_REFUSED' | 'STORE_MISCONFIGURED';

/** Every code that a {@link NumberingError} can carry. */
export type NumberingErrorCode =
  | (RequestCode | FormatCode | SeriesCode | CounterCode | StoreCode)
  | ('REDIS_SILENT' | 'NUMBERING_CLOSED');

/** On the errors of every copy of this package: a process can hold an ES module and a CommonJS copy. */
const ERROR = Symbol.for('@solegate/doc-numbering/error');

/**
 * Base of every error of this package. `message` is for logs; `code` and the readonly facts are for programs.
 * `instanceof NumberingError` also knows the errors of another copy of this package; `code` then distinguishes the classes.
 * `retryable` says whether the same request, sent again with the same key, can succeed without a person acting.
 */
export abstract class NumberingError extends Error {
  abstract readonly code: NumberingErrorCode;
  readonly retryable: boolean = false;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  static {
    Object.defineProperty(NumberingError.prototype, ERROR, { value: true });
  }

  /** Knows the errors of another copy of this package too, such as the one of the other module format. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the subclasses inherit this and keep the plain check
    if (this !== NumberingError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && ERROR in value;
  }
}

/** The request is malformed; nothing was taken. */
export class InvalidRequestError extends NumberingError {
  readonly code = 'INVALID_REQUEST';
  constructor(
    readonly field: string,
    problem: string,
  ) {
    super(`${field}: ${problem}`);
  }
}

/** The counter has no number left under its format's width or its series' limit. A person must act. */
export class ExhaustedError extends NumberingError {
  readonly code = 'EXHAUSTED';
  constructor(
    readonly counter: string,
    /** The last number that may be issued. */
    readonly limit: number,
  ) {
    super(`${counter} has issued its last number, ${limit}; save a wider format, or a later endAt`);
  }
}

/** The business date lies in a closed period, or in another than the current one without permission. */
export class PeriodClosedError extends NumberingError {
  readonly code = 'PERIOD_CLOSED';
  constructor(
    readonly period: string,
    problem: string,
  ) {
    super(`Period ${period}: ${problem}`);
  }
}

/** The series keeps dates in order, and a number with a later business date was issued before. */
export class DateOrderError extends NumberingError {
  readonly code = 'DATE_ORDER';
  constructor(
    readonly date: string,
    readonly lastDate: string,
  ) {
    super(`A number dated ${lastDate} was issued before; ${date} would break the date order of the series`);
  }
}

/** The number (or the ledger row's id) is in the ledger already. */
export class DuplicateError extends NumberingError {
  readonly code = 'DUPLICATE';
  constructor(
    readonly number: string,
    options?: ErrorOptions,
  ) {
    super(`"${number}" is in the ledger already`, options);
  }
}

/** The idempotency key was used before for a request with other content. */
export class KeyReusedError extends NumberingError {
  readonly code = 'KEY_REUSED';
  constructor(readonly key: string) {
    super(`Idempotency key "${key}" belongs to a request with other content; use a new key`);
  }
}

/** The counter stands below a number that was issued (a fail-over lost commits): `skipTo` or `importNumbers` must record them. */
export class CounterRegressionError extends NumberingError {
  readonly code = 'COUNTER_REGRESSION';
  constructor(
    readonly counter: string,
    /** Where the counter stands in PostgreSQL. */
    readonly lastNumber: number,
    /** The highest number known to have been issued. */
    readonly highWaterMark: number,
  ) {
    super(
      `${counter} stands at ${lastNumber}, but ${highWaterMark} was issued; record the lost numbers first`,
    );
  }
}

/** The ledger has no such number or reservation. */
export class NumberNotFoundError extends NumberingError {
  readonly code = 'NUMBER_NOT_FOUND';
  constructor(readonly number: string) {
    super(`The ledger has no "${number}"`);
  }
}

/** The number is not in a state that allows this step, for example confirming an expired reservation. */
export class NumberStateError extends NumberingError {
  readonly code = 'NUMBER_STATE';
  constructor(
    readonly number: string,
    readonly status: string,
    readonly step: string,
  ) {
    super(`"${number}" is ${status}; it cannot be ${step}`);
  }
}

/** Others held what was needed until the end of the wait, or their transaction won; nothing was taken. */
export class BusyError extends NumberingError {
  readonly code = 'BUSY';
  override readonly retryable = true;
  constructor(options?: ErrorOptions) {
    super('Other transactions are in the way; nothing was taken', options);
  }
}

/** PostgreSQL could not be asked; surely nothing was taken. */
export class StoreUnavailableError extends NumberingError {
  readonly code = 'STORE_UNAVAILABLE';
  override readonly retryable = true;
  constructor(options?: ErrorOptions) {
    super('PostgreSQL cannot be reached; nothing was taken', options);
  }
}

/** PostgreSQL was asked and never answered. Repeat the request with the same key: it gives the same number. */
export class OutcomeUnknownError extends NumberingError {
  readonly code = 'OUTCOME_UNKNOWN';
  override readonly retryable = true;
  constructor(options?: ErrorOptions) {
    super('PostgreSQL did not answer whether the number was issued; repeat with the same key', options);
  }
}

/** PostgreSQL refused a value or a change, and would again; nothing was taken. `cause` has its words. */
export class StoreRefusedError extends NumberingError {
  readonly code = 'STORE_REFUSED';
  constructor(
    /** Five characters. */
    readonly sqlState: string | undefined,
    options?: ErrorOptions,
  ) {
    super(`PostgreSQL refused the request (${sqlState ?? 'without a SQLSTATE'}); nothing was taken`, options);
  }
}

/** PostgreSQL lacks tables, privileges or settings; nothing was taken. `advice` says what a person must change. */
export class StoreMisconfiguredError extends NumberingError {
  readonly code = 'STORE_MISCONFIGURED';
  constructor(
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(advice, options);
  }
}

/** Redis gave no answer to a call that cannot do without: its mark of a counter stands. */
export class RedisSilentError extends NumberingError {
  readonly code = 'REDIS_SILENT';
  override readonly retryable = true;
  constructor(options?: ErrorOptions) {
    super('Redis gave no answer, and what it remembers of the counter stands; repeat the call', options);
  }
}

/** `close()` was called; nothing was taken. */
export class NumberingClosedError extends NumberingError {
  readonly code = 'NUMBERING_CLOSED';
  override readonly retryable = true;
  constructor() {
    super('This numbering is closed; nothing was taken');
  }
}
