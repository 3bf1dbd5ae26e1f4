import { NumberingError } from './numbering-error.js';

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
