/**
 * What a failed statement means, for everything that Solegate asks of PostgreSQL:
 *
 * | kind | applied | the same statement, sent again |
 * |---|---|---|
 * | `REFUSED` | surely not | is refused again: its values break a rule, or the statement is wrong |
 * | `CONFLICT` | surely not | may succeed at once, unless `constraint` names a unique key that is taken |
 * | `BUSY` | surely not: a row was locked, or it ran too long | may succeed later |
 * | `UNAVAILABLE` | surely not: the server is not there, or takes no changes | may succeed after a fail-over or a restart |
 * | `UNKNOWN` | nobody knows: it was sent and no answer came | only if it may run twice, or after a look |
 * | `MISCONFIGURED` | surely not | fails until a person has changed something; `advice` says what |
 */
export type PostgresFailureKind =
  | 'REFUSED'
  | 'CONFLICT'
  | 'BUSY'
  | 'UNAVAILABLE'
  | 'UNKNOWN'
  | 'MISCONFIGURED';

/** On the failures of every copy of this package: a process can hold an ES module and a CommonJS copy. */
const FAILURE = Symbol.for('@solegate/postgres-infra/failure');

/**
 * A statement that did not succeed, or a connection that could not be had. `instanceof PostgresFailure` also knows the
 * failures of another copy of this package.
 */
export class PostgresFailure extends Error {
  override readonly name = 'PostgresFailure';
  readonly code: `POSTGRES_${PostgresFailureKind}`;
  readonly kind: PostgresFailureKind;
  /** Five characters, if PostgreSQL or a pooler answered at all. */
  readonly sqlState: string | undefined;
  /** Of a `CONFLICT` or `REFUSED`: the constraint that was in the way. */
  readonly constraint: string | undefined;
  /** What to do about a `MISCONFIGURED` server. */
  readonly advice: string | undefined;
  /** Whether the same statement runs when it is sent without its name: a pooler or a migration is in the way. */
  readonly isUnprepared: boolean;

  constructor(kind: PostgresFailureKind, message: string, facts: PostgresFailureFacts = {}) {
    super(facts.advice === undefined ? message : `${message}. ${facts.advice}`, { cause: facts.cause });
    this.code = `POSTGRES_${kind}`;
    this.kind = kind;
    this.sqlState = facts.sqlState;
    this.constraint = facts.constraint;
    this.advice = facts.advice;
    this.isUnprepared = facts.isUnprepared ?? false;
  }

  static {
    Object.defineProperty(PostgresFailure.prototype, FAILURE, { value: true });
  }

  /** Knows the errors of another copy of this package too, such as the one of the other module format. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && FAILURE in value;
  }

  /** Whether the same statement may succeed without a change by anybody. Of `UNKNOWN`: if it may run twice. */
  get retryable(): boolean {
    return (
      this.kind !== 'REFUSED' &&
      this.kind !== 'MISCONFIGURED' &&
      !(this.kind === 'CONFLICT' && this.constraint !== undefined)
    );
  }
}

export interface PostgresFailureFacts {
  readonly sqlState?: string | undefined;
  readonly constraint?: string | undefined;
  readonly advice?: string | undefined;
  readonly isUnprepared?: boolean;
  readonly cause?: unknown;
}

interface Meaning {
  readonly kind: PostgresFailureKind;
  readonly advice?: string;
}

const REFUSED: Meaning = { kind: 'REFUSED' };
const CONFLICT: Meaning = { kind: 'CONFLICT' };
const BUSY: Meaning = { kind: 'BUSY' };
const UNAVAILABLE: Meaning = { kind: 'UNAVAILABLE' };
const UNKNOWN: Meaning = { kind: 'UNKNOWN' };
const misconfigured = (advice: string): Meaning => ({ kind: 'MISCONFIGURED', advice });

const MIGRATE = misconfigured('Run the migrations of this package on that database and schema');
const POOLER = misconfigured('A pooler in transaction mode mixes connections: send statements without names');
const LOGIN = misconfigured('Check user, password and pg_hba.conf');

/** By SQLSTATE, or by its class of two characters; the reason where it is not the name of the state. */
const MEANING_BY_STATE: Readonly<Record<string, Meaning>> = {
  // Connection exceptions, among them those that PgBouncer reports of its server: sent or not, nobody says.
  '08': UNKNOWN,
  // The server took no session.
  '08001': UNAVAILABLE,
  '08004': UNAVAILABLE,
  // Unique and exclusion: another row was there first.
  '23505': CONFLICT,
  '23P01': CONFLICT,
  // Read only: the primary of a moment ago, or a standby. A change was not made.
  '25006': UNAVAILABLE,
  // The session was ended because its client was silent inside a transaction, which was rolled back.
  '25P03': UNAVAILABLE,
  '25P04': BUSY,
  '26000': POOLER,
  '28': LOGIN,
  '3D000': misconfigured('Create the database, or correct its name in the connection string'),
  '3F000': MIGRATE,
  '40': CONFLICT,
  '40003': UNKNOWN,
  '42501': misconfigured('Grant the role the privileges that the README of this package lists'),
  '42703': MIGRATE,
  '42883': MIGRATE,
  '42P01': MIGRATE,
  '42P05': POOLER,
  // Disk, memory, connections: the server is there and takes no work.
  '53': UNAVAILABLE,
  '55P03': BUSY,
  '57014': BUSY,
  // Shut down or crashed while the statement ran; with a synchronous standby it may be committed.
  '57P01': UNKNOWN,
  '57P02': UNKNOWN,
  '57P03': UNAVAILABLE,
  '57P04': misconfigured('The database was dropped'),
  '57P05': UNKNOWN,
  // Errors of the system below the server, such as a failed write.
  '58': UNAVAILABLE,
};

/** A prepared statement that the connection has lost, or has under a name that it is given again. */
const UNPREPARED = new Set(['26000', '42P05']);
/** Where the server refuses a prepared plan because a migration changed its columns; the state says nothing (0A000). */
const STALE_PLAN = 'RevalidateCachedQuery';

/** With one of these the session is over, or another would reach the server that took over. */
const ENDS_CONNECTION = /^(?:08|57P|25006|25P0)/;

/** Five characters, none of whose classes begins like a code of Node (EPIPE). */
const SQLSTATE = /^[0-9FHPX][0-9A-Z]{4}$/;

/** Node's codes for a connection that never came about. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
/** What pg and its pool say of one, without a code. */
const NEVER_CONNECTED = /timeout exceeded when trying to connect|connection timeout|Cannot use a pool after/i;
/** Node's codes for a connection that broke. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
/** What pg and its pool say without a code, of connections had or not. */
const DRIVER_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/;
/** Node's codes for a certificate that was not accepted. */
const CERTIFICATE = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_)/;

/**
 * Reads what a driver rejected with.
 *
 * @param wasSent whether the statement had a connection: without one it is surely not applied
 */
export function postgresFailure(error: unknown, wasSent: boolean): PostgresFailure {
  if (error instanceof PostgresFailure) return error;
  const { code, constraint, message, syscall, routine } = factsOf(error);
  if (SQLSTATE.test(code)) {
    const { kind, advice } = MEANING_BY_STATE[code] ?? MEANING_BY_STATE[code.slice(0, 2)] ?? REFUSED;
    const isCertain = kind === 'UNKNOWN' && !wasSent;
    return new PostgresFailure(isCertain ? 'UNAVAILABLE' : kind, `PostgreSQL: ${message}`, {
      sqlState: code,
      constraint,
      advice,
      isUnprepared: UNPREPARED.has(code) || routine === STALE_PLAN,
      cause: error,
    });
  }
  if (CERTIFICATE.test(code)) {
    const advice = `Check the certificate authority and the host name that the connection is given (${code})`;
    return new PostgresFailure('MISCONFIGURED', `PostgreSQL's certificate: ${message}`, {
      advice,
      cause: error,
    });
  }
  const isCertain =
    !wasSent || NEVER_SENT.has(code) || syscall === 'connect' || NEVER_CONNECTED.test(message);
  return isCertain
    ? new PostgresFailure('UNAVAILABLE', `PostgreSQL cannot be reached: ${message}`, { cause: error })
    : new PostgresFailure('UNKNOWN', `PostgreSQL gave no answer: ${message}`, { cause: error });
}

/**
 * Reads an error that may have come from anywhere, such as one that an ORM passed on.
 *
 * @returns `undefined` when neither PostgreSQL nor its driver words errors like this
 */
export function postgresFailureIn(error: unknown): PostgresFailure | undefined {
  if (error instanceof PostgresFailure) return error;
  const { code, message } = factsOf(error);
  const isKnown =
    SQLSTATE.test(code) || NEVER_SENT.has(code) || BROKEN.has(code) || DRIVER_MESSAGE.test(message);
  return isKnown ? postgresFailure(error, true) : undefined;
}

/** Whether the connection of a failed statement must not serve another one. */
export function endsConnection({ sqlState, isUnprepared }: PostgresFailure): boolean {
  return sqlState === undefined || isUnprepared || ENDS_CONNECTION.test(sqlState);
}

/** The client stops waiting. */
export const noAnswer = (): PostgresFailure =>
  new PostgresFailure('UNKNOWN', 'PostgreSQL gave no answer before the deadline');

/** Of a read, or before COMMIT was sent: nothing is applied, so that not to know the outcome is not to have it. */
export function notApplied(failure: PostgresFailure): PostgresFailure {
  const { kind, message, sqlState, cause } = failure;
  return kind === 'UNKNOWN' ? new PostgresFailure('UNAVAILABLE', message, { sqlState, cause }) : failure;
}

function factsOf(error: unknown) {
  const text = (name: string): string | undefined => {
    const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  return {
    code: text('code') ?? '',
    constraint: text('constraint'),
    syscall: text('syscall'),
    routine: text('routine'),
    message: error instanceof Error ? error.message : String(error),
  };
}
