import { errorName, recognizeCopies } from '@solegate/postgres-infra';

/** The request must change. */
type RequestCode =
  | ('INVALID_REQUEST' | 'UNKNOWN_CODE' | 'KEY_REUSED' | 'NUMBER_NOT_FOUND' | 'NUMBER_STATE')
  | ('SEAL_REFUSED' | 'FEED_TOO_WIDE' | 'FEED_REWOUND');
/** The setup must change, or is not what the caller assumes. */
type FormatCode = 'INVALID_FORMAT' | 'UNKNOWN_TOKEN' | 'AMBIGUOUS_FORMAT' | 'NO_FORMAT' | 'FORMAT_IN_USE';
type SeriesCode = 'UNKNOWN_SERIES' | 'SERIES_IN_USE' | 'SERIES_CHANGED' | 'SERIES_BLOCKED';
/** The counter cannot issue this number. */
type CounterCode = 'EXHAUSTED' | 'PERIOD_CLOSED' | 'DATE_ORDER' | 'DUPLICATE' | 'COUNTER_REGRESSION';
/** The cause is a store or another user of it. */
type StoreCode = 'BUSY' | 'STORE_UNAVAILABLE' | 'OUTCOME_UNKNOWN' | 'STORE_REFUSED' | 'STORE_MISCONFIGURED';

/** Every code that a {@link NumberingError} can carry. */
export type NumberingErrorCode =
  | (RequestCode | FormatCode | SeriesCode | CounterCode | StoreCode)
  | ('CODES_SILENT' | 'REDIS_SILENT' | 'NUMBERING_CLOSED');

/**
 * Base of every error of this package. `message` is for logs; `code` and the readonly facts are for programs.
 * `instanceof NumberingError` also matches errors of another copy of this package; use `code` to distinguish classes.
 * `retryable`: the same request, sent again with the same key, can succeed without human intervention.
 */
export abstract class NumberingError extends Error {
  abstract readonly code: NumberingErrorCode;
  readonly retryable: boolean = false;

  /** The name of the class in the source. */
  override get name(): string {
    return errorName(this.code);
  }

  static {
    recognizeCopies(NumberingError, '@solegate/doc-numbering/error');
  }
}

/** The request is malformed; no number was taken. */
export class InvalidRequestError extends NumberingError {
  readonly code = 'INVALID_REQUEST';
  constructor(
    readonly field: string,
    problem: string,
  ) {
    super(`${field}: ${problem}`);
  }
}

/** The counter has no numbers left within its format's width or its series' limit. Needs human intervention. */
export class ExhaustedError extends NumberingError {
  readonly code = 'EXHAUSTED';
  constructor(
    readonly counter: string,
    /** The last number that can be issued. */
    readonly limit: number,
  ) {
    super(`${counter} has issued its last number, ${limit}; save a wider format or a higher endAt`);
  }
}

/** The business date is in a closed period, or outside the current one without `otherPeriod`. */
export class PeriodClosedError extends NumberingError {
  readonly code = 'PERIOD_CLOSED';
  constructor(
    readonly period: string,
    problem: string,
  ) {
    super(`Period ${period}: ${problem}`);
  }
}

/** The series enforces date order, and a number with a later business date was already issued. */
export class DateOrderError extends NumberingError {
  readonly code = 'DATE_ORDER';
  constructor(
    readonly date: string,
    readonly lastDate: string,
  ) {
    super(`A number dated ${lastDate} was already issued; ${date} would break the date order of the series`);
  }
}

/** The number (or the ledger row's id) is already in the ledger. */
export class DuplicateError extends NumberingError {
  readonly code = 'DUPLICATE';
  constructor(
    readonly number: string,
    options?: ErrorOptions,
  ) {
    super(`"${number}" is already in the ledger`, options);
  }
}

/** The idempotency key was already used for a request with different content, or by another actor. */
export class KeyReusedError extends NumberingError {
  readonly code = 'KEY_REUSED';
  constructor(readonly key: string) {
    super(
      `Idempotency key "${key}" belongs to a request of other content or of another actor; use a new key`,
    );
  }
}

/** The counter is below issued numbers (a failover lost commits); `skipTo` or `importNumbers` must record them. */
export class CounterRegressionError extends NumberingError {
  readonly code = 'COUNTER_REGRESSION';
  constructor(
    readonly counter: string,
    /** The counter's last number in PostgreSQL. */
    readonly lastNumber: number,
    /** The highest number known to have been issued. */
    readonly highWaterMark: number,
  ) {
    super(`${counter} is at ${lastNumber}, but ${highWaterMark} was issued; record the lost numbers first`);
  }
}

/** A writer's chain rules threw for this document, or made no usable text; `cause` says which. No number was taken. */
export class SealRefusedError extends NumberingError {
  readonly code = 'SEAL_REFUSED';
  constructor(
    readonly writer: string,
    /** What was to be made: the name of the chain, or the seal. */
    readonly what: 'chain' | 'seal',
    options?: ErrorOptions,
  ) {
    super(`The chain rules of the writer ${writer} made no ${what}`, options);
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

/** Another transaction held a lock until the wait timed out, or won a conflict; no number was taken. */
export class BusyError extends NumberingError {
  readonly code = 'BUSY';
  override readonly retryable = true;
  constructor(options?: ErrorOptions) {
    super('Blocked by other transactions; no number was taken', options);
  }
}

/** PostgreSQL could not be reached; no number was taken. */
export class StoreUnavailableError extends NumberingError {
  readonly code = 'STORE_UNAVAILABLE';
  override readonly retryable = true;
  constructor(options?: ErrorOptions) {
    super('PostgreSQL cannot be reached; no number was taken', options);
  }
}

/** PostgreSQL's reply never arrived. Retry the request with the same key: it returns the same number. */
export class OutcomeUnknownError extends NumberingError {
  readonly code = 'OUTCOME_UNKNOWN';
  override readonly retryable = true;
  constructor(options?: ErrorOptions) {
    super('PostgreSQL did not confirm whether the number was issued; retry with the same key', options);
  }
}

/** PostgreSQL refused a value or a change, and would do so again; no number was taken. `cause` has its message. */
export class StoreRefusedError extends NumberingError {
  readonly code = 'STORE_REFUSED';
  constructor(
    /** Five characters. */
    readonly sqlState: string | undefined,
    options?: ErrorOptions,
  ) {
    super(`PostgreSQL refused the request (${sqlState ?? 'no SQLSTATE'}); no number was taken`, options);
  }
}

/** PostgreSQL lacks tables, privileges or settings; no number was taken. `advice` states what to change. */
export class StoreMisconfiguredError extends NumberingError {
  readonly code = 'STORE_MISCONFIGURED';
  constructor(
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(advice, options);
  }
}

/** Redis did not respond to a call that depends on it: its mark of the counter is not known. */
export class RedisSilentError extends NumberingError {
  readonly code = 'REDIS_SILENT';
  override readonly retryable = true;
  constructor() {
    super('Redis did not respond, and its mark of the counter is not known; retry the call');
  }
}

/** The code directory did not reply in time; no number was taken, and nothing was defined. */
export class CodesSilentError extends NumberingError {
  readonly code = 'CODES_SILENT';
  override readonly retryable = true;
  /** @param token whose code was looked up */
  constructor(readonly token: string) {
    super(`the code directory did not reply in time for ${token}; no number was taken`);
  }
}

/** `close()` was called; no number was taken. */
export class NumberingClosedError extends NumberingError {
  readonly code = 'NUMBERING_CLOSED';
  override readonly retryable = true;
  constructor() {
    super('This numbering is closed; no number was taken');
  }
}
