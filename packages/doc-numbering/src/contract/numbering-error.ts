/** Every code that a {@link NumberingError} can carry. */
export type NumberingErrorCode =
  | 'INVALID_REQUEST'
  | 'INVALID_FORMAT'
  | 'UNKNOWN_TOKEN'
  | 'AMBIGUOUS_FORMAT'
  | 'UNKNOWN_SERIES'
  | 'SERIES_IN_USE'
  | 'SERIES_BLOCKED'
  | 'FORMAT_IN_USE'
  | 'UNKNOWN_CODE'
  | 'NO_FORMAT'
  | 'EXHAUSTED'
  | 'PERIOD_CLOSED'
  | 'DATE_ORDER'
  | 'DUPLICATE'
  | 'KEY_REUSED'
  | 'COUNTER_REGRESSION'
  | 'NUMBER_NOT_FOUND'
  | 'NUMBER_STATE'
  | 'BUSY'
  | 'STORE_UNAVAILABLE'
  | 'OUTCOME_UNKNOWN'
  | 'STORE_REFUSED'
  | 'STORE_MISCONFIGURED'
  | 'REDIS_SILENT'
  | 'NUMBERING_CLOSED';

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

/** The number space has no such series: call `defineSeries` first. */
export class UnknownSeriesError extends NumberingError {
  readonly code = 'UNKNOWN_SERIES';
  constructor(
    readonly space: string,
    readonly series: string,
  ) {
    super(`Number space "${space}" has no series "${series}"; define it first`);
  }
}

/** The series has counters, so what decides a counter's period, dimensions or limits can no longer change. */
export class SeriesInUseError extends NumberingError {
  readonly code = 'SERIES_IN_USE';
  constructor(
    readonly space: string,
    readonly series: string,
    readonly rules: readonly string[],
  ) {
    super(`Series "${series}" of "${space}" is in use; ${rules.join(', ')} cannot change any more`);
  }
}

/** The series was closed to everybody who wants a number; `defineSeries` without `blocked` opens it. */
export class SeriesBlockedError extends NumberingError {
  readonly code = 'SERIES_BLOCKED';
  constructor(
    readonly space: string,
    readonly series: string,
    readonly reason: string,
  ) {
    super(`Series "${series}" of "${space}" is blocked: ${reason}`);
  }
}

/** Numbers were printed by this version of the format, so it cannot be withdrawn. Save a new version instead. */
export class FormatInUseError extends NumberingError {
  readonly code = 'FORMAT_IN_USE';
  constructor(
    readonly space: string,
    readonly series: string,
    readonly version: number,
  ) {
    super(`Format ${version} of series "${series}" of "${space}" has printed numbers; save a new version`);
  }
}

/** An organisation, type, discipline or other code is missing, unknown, or has characters it may not have. */
export class UnknownCodeError extends NumberingError {
  readonly code = 'UNKNOWN_CODE';
  constructor(
    readonly token: string,
    readonly reference: string | undefined,
    problem: string,
  ) {
    super(`${token}: ${reference === undefined ? 'no code given' : `"${reference}"`} ${problem}`);
  }
}

/** No format version of the series is valid on the business date. */
export class NoFormatError extends NumberingError {
  readonly code = 'NO_FORMAT';
  constructor(
    readonly space: string,
    readonly series: string,
    readonly date: string,
  ) {
    super(`Series "${series}" of "${space}" has no format valid on ${date}; save one first`);
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

/**
 * The counter stands below a number that was issued before: a fail-over lost commits or a backup was restored.
 * Nothing is issued from it until `skipTo` or `importNumbers` has recorded the missing numbers.
 */
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
