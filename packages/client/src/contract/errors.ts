/** Codes of requests that the server refuses until they are corrected. */
type RefusalCode =
  | 'BAD_USER_INPUT'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'FAILED_PRECONDITION';

type UnavailableCode = 'CONTENTION' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE';

/** The code of every error that this client throws; a `Record` over it is checked by the compiler. */
export type SolegateErrorCode =
  | RefusalCode
  | UnavailableCode
  | 'OUTCOME_UNKNOWN'
  | 'INTERNAL_SERVER_ERROR'
  | 'ABORTED';

/** What is known about a failed call. */
export interface ErrorFacts {
  readonly message: string;
  /** Client method, such as `issueDocumentNumber`. */
  readonly operation: string;
  readonly reason: string;
  readonly attemptCount: number;
  readonly outcomeUnknown: boolean;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly incidentId?: string | undefined;
  readonly after?: string | undefined;
  readonly data?: unknown;
  readonly cause?: unknown;
}

/** Marks the errors of every copy of this package: a process can load both the ES module and the CommonJS copy. */
const ERROR = Symbol.for('@solegate/client/error');

/**
 * Base class of all errors of calls. `message` is for logs; `code`, `reason` and the other properties are for programs.
 * `instanceof SolegateError` also recognizes errors of another copy of this package; `code` distinguishes the classes.
 */
export abstract class SolegateError extends Error {
  /** The coarse code, as in `extensions.code` of the API. */
  abstract readonly code: SolegateErrorCode;
  /** The specific code, stable, such as `UNKNOWN_CODE`; the client adds NO_ANSWER, TIMEOUT, ABORTED, CLIENT_CLOSED. */
  readonly reason: string;
  /** Whether repeating the call (with `idempotencyKey`, if there is one) can succeed and executes nothing twice. */
  readonly retryable: boolean;
  /** Milliseconds to wait before such a retry. */
  readonly retryAfterMs: number | undefined;
  /** Whether the mutation may have been executed. */
  readonly outcomeUnknown: boolean;
  /** The key of the attempts: a later call with it returns their result. */
  readonly idempotencyKey: string | undefined;
  readonly operation: string;
  /** For FEED_REWOUND and TRIP_FEED_BROKEN: the cursor with which to subscribe again; absent: without one. */
  readonly after: string | undefined;
  /** Number of attempts made. */
  readonly attemptCount: number;
  /** The data returned with the error, if only part of the operation failed. */
  readonly data: unknown;

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause });
    this.reason = facts.reason;
    this.retryable = facts.retryable;
    this.retryAfterMs = facts.retryAfterMs;
    this.outcomeUnknown = facts.outcomeUnknown;
    this.idempotencyKey = facts.idempotencyKey;
    this.operation = facts.operation;
    this.after = facts.after;
    this.attemptCount = facts.attemptCount;
    this.data = facts.data;
  }

  static {
    Object.defineProperty(SolegateError.prototype, ERROR, { value: true });
  }

  /** Also recognizes errors of another copy of this package, such as the one of the other module format. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the subclasses inherit this and keep the plain check
    if (this !== SolegateError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && ERROR in value;
  }
}

/** The request was refused; `message` describes what to correct. A retry of the same request is refused again. */
export class RefusedError extends SolegateError {
  override readonly name = 'RefusedError';
  constructor(
    readonly code: RefusalCode,
    facts: ErrorFacts,
  ) {
    super(facts);
  }
}

/** Temporarily unavailable: contention, rate limiting, or a store or the gateway is unreachable. */
export class UnavailableError extends SolegateError {
  override readonly name = 'UnavailableError';
  constructor(
    readonly code: UnavailableCode,
    facts: ErrorFacts,
  ) {
    super(facts);
  }
}

/** A mutation was sent without a conclusive response: it may have been executed. */
export class OutcomeUnknownError extends SolegateError {
  override readonly name = 'OutcomeUnknownError';
  readonly code = 'OUTCOME_UNKNOWN';
}

/** An internal error of the gateway; its log has the details under `incidentId`. */
export class FaultError extends SolegateError {
  override readonly name = 'FaultError';
  readonly code = 'INTERNAL_SERVER_ERROR';
  readonly incidentId: string | undefined;

  constructor(facts: ErrorFacts) {
    super(facts);
    this.incidentId = facts.incidentId;
  }
}

/** The call was cancelled by the caller's signal or by `close()`. `cause` is the signal's reason. */
export class AbortedError extends SolegateError {
  override readonly name = 'AbortedError';
  readonly code = 'ABORTED';
}

/** Creates the error for a code; codes unknown to this version become a FaultError. */
export function errorOf(code: string, facts: ErrorFacts): SolegateError {
  switch (code) {
    case 'CONTENTION':
    case 'RATE_LIMITED':
    case 'SERVICE_UNAVAILABLE':
      return new UnavailableError(code, facts);
    case 'OUTCOME_UNKNOWN':
      return new OutcomeUnknownError(facts);
    case 'ABORTED':
      return new AbortedError(facts);
    case 'BAD_USER_INPUT':
    case 'GRAPHQL_PARSE_FAILED':
    case 'GRAPHQL_VALIDATION_FAILED':
    case 'PERSISTED_QUERY_NOT_FOUND':
    case 'UNAUTHENTICATED':
    case 'FORBIDDEN':
    case 'NOT_FOUND':
    case 'FAILED_PRECONDITION':
      return new RefusedError(code, facts);
    default:
      return new FaultError(facts);
  }
}
