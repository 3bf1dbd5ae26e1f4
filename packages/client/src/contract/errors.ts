/** What a server says of a request that it does not carry out: something has to be corrected first. */
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

/** Codes of every error that this client throws; the compiler can check a table over them. */
export type SolegateErrorCode =
  | RefusalCode
  | UnavailableCode
  | 'OUTCOME_UNKNOWN'
  | 'INTERNAL_SERVER_ERROR'
  | 'ABORTED';

/** What is known of a call that failed. */
export interface ErrorFacts {
  readonly message: string;
  /** Method of the client, such as `issueDocumentNumber`. */
  readonly operation: string;
  readonly reason: string;
  readonly attemptCount: number;
  readonly outcomeUnknown: boolean;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly incidentId?: string | undefined;
  readonly data?: unknown;
  readonly cause?: unknown;
}

/** On the errors of every copy of this package: a page or process can hold an ES module and a CommonJS copy. */
const ERROR = Symbol.for('@solegate/client/error');

/**
 * Base of every error of a call. `message` is for logs; `code`, `reason` and the other facts are for programs.
 * `instanceof SolegateError` also knows the errors of another copy of this package; `code` distinguishes the classes.
 */
export abstract class SolegateError extends Error {
  /** The coarse code, as in `extensions.code` of the API. */
  abstract readonly code: SolegateErrorCode;
  /** The fine code, stable, such as `UNKNOWN_CODE`; of the client itself: NO_ANSWER, TIMEOUT, ABORTED, CLIENT_CLOSED. */
  readonly reason: string;
  /** Whether the same call (with `idempotencyKey`, where there is one) may be made again, does nothing twice, and can succeed. */
  readonly retryable: boolean;
  /** Milliseconds after which that makes sense. */
  readonly retryAfterMs: number | undefined;
  /** Whether the mutation may have been carried out. */
  readonly outcomeUnknown: boolean;
  /** The key of the attempts: a later call with it finds what they did. */
  readonly idempotencyKey: string | undefined;
  readonly operation: string;
  /** How often it was sent. */
  readonly attemptCount: number;
  /** What came back beside the error, when only a part failed. */
  readonly data: unknown;

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause });
    this.name = new.target.name;
    this.reason = facts.reason;
    this.retryable = facts.retryable;
    this.retryAfterMs = facts.retryAfterMs;
    this.outcomeUnknown = facts.outcomeUnknown;
    this.idempotencyKey = facts.idempotencyKey;
    this.operation = facts.operation;
    this.attemptCount = facts.attemptCount;
    this.data = facts.data;
  }

  static {
    Object.defineProperty(SolegateError.prototype, ERROR, { value: true });
  }

  /** Knows the errors of another copy of this package too, such as the one of the other module format. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the subclasses inherit this and keep the plain check
    if (this !== SolegateError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && ERROR in value;
  }
}

/** The request was refused; `message` says what to correct. Repeating it as it is changes nothing. */
export class RefusedError extends SolegateError {
  constructor(
    readonly code: RefusalCode,
    facts: ErrorFacts,
  ) {
    super(facts);
  }
}

/** Not now: busy, too many requests, or a store or the gateway is away. */
export class UnavailableError extends SolegateError {
  constructor(
    readonly code: UnavailableCode,
    facts: ErrorFacts,
  ) {
    super(facts);
  }
}

/** A mutation was sent and no answer came: it may have been carried out. */
export class OutcomeUnknownError extends SolegateError {
  readonly code = 'OUTCOME_UNKNOWN';
}

/** The gateway is broken; its log has the rest under `incidentId`. */
export class FaultError extends SolegateError {
  readonly code = 'INTERNAL_SERVER_ERROR';
  readonly incidentId: string | undefined;

  constructor(facts: ErrorFacts) {
    super(facts);
    this.incidentId = facts.incidentId;
  }
}

/** The caller's signal, or `close()`, ended the call. `cause` is the signal's reason. */
export class AbortedError extends SolegateError {
  readonly code = 'ABORTED';
}

/** The error of a code; one that this version does not know is a fault. */
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
