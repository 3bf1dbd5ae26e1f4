import { chainOf, factsOf, isSqlState } from './error-facts.js';
import { recognizeCopies } from './error-identity.js';

/**
 * What a failed statement means, for every use of PostgreSQL in Solegate:
 *
 * | kind | applied | the same statement, sent again |
 * |---|---|---|
 * | `REFUSED` | no | is refused again: its values violate a rule, or the statement is wrong |
 * | `CONFLICT` | no | may succeed immediately, unless `constraint` names a unique key that is taken |
 * | `BUSY` | no: a row was locked, or it ran too long | may succeed later |
 * | `UNAVAILABLE` | no: the server is unreachable, or accepts no changes | may succeed after a failover or a restart |
 * | `UNKNOWN` | unknown: it was sent and no response came | only if it can safely run twice, or after a check |
 * | `MISCONFIGURED` | no | fails until someone fixes the configuration; `advice` states how |
 */
export type PostgresFailureKind =
  | 'REFUSED'
  | 'CONFLICT'
  | 'BUSY'
  | 'UNAVAILABLE'
  | 'UNKNOWN'
  | 'MISCONFIGURED';

/**
 * A failed statement, or a connection that could not be obtained. `instanceof PostgresFailure` also recognizes failures
 * of another copy of this package.
 */
export class PostgresFailure extends Error {
  override readonly name = 'PostgresFailure';
  readonly code: `POSTGRES_${PostgresFailureKind}`;
  readonly kind: PostgresFailureKind;
  /** Five characters, if PostgreSQL or a pooler responded at all. */
  readonly sqlState: string | undefined;
  /** For `CONFLICT` and `REFUSED`: the violated constraint. */
  readonly constraint: string | undefined;
  /** For `MISCONFIGURED`: what to do. */
  readonly advice: string | undefined;
  /** Whether the statement can succeed without its name: a pooler or a migration invalidated the prepared one. */
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
    recognizeCopies(PostgresFailure, '@solegate/postgres-infra/failure');
  }

  /** Whether the same statement may succeed without intervention. For `UNKNOWN`: provided it can safely run twice. */
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
const POOLER = misconfigured('A pooler in transaction mode switches connections: send unnamed statements');
const LOGIN = misconfigured('Check the user, the password and pg_hba.conf');

/** By SQLSTATE, or by its class of two characters. A comment gives the reason if the state's name does not. */
const MEANING_BY_STATE: Readonly<Record<string, Meaning>> = {
  // Connection exceptions, including those PgBouncer reports of its server: the statement may have been sent.
  '08': UNKNOWN,
  // The server accepted no session.
  '08001': UNAVAILABLE,
  '08004': UNAVAILABLE,
  // Unique and exclusion: another row was there first.
  '23505': CONFLICT,
  '23P01': CONFLICT,
  // Read only: a former primary, or a standby. Nothing was changed.
  '25006': UNAVAILABLE,
  // The server ended an idle session inside a transaction, which was rolled back.
  '25P03': UNAVAILABLE,
  '25P04': BUSY,
  '26000': POOLER,
  '28': LOGIN,
  '3D000': misconfigured('Create the database, or correct its name in the connection string'),
  '3F000': MIGRATE,
  '40': CONFLICT,
  '40003': UNKNOWN,
  '42501': misconfigured("Grant the role the privileges listed in this package's README"),
  '42703': MIGRATE,
  '42883': MIGRATE,
  '42P01': MIGRATE,
  '42P05': POOLER,
  // Disk, memory, connections: the server runs but accepts no work.
  '53': UNAVAILABLE,
  '55P03': BUSY,
  '57014': BUSY,
  // Shutdown or crash while the statement ran; with a synchronous standby it may be committed.
  '57P01': UNKNOWN,
  '57P02': UNKNOWN,
  '57P03': UNAVAILABLE,
  '57P04': misconfigured('The database was dropped'),
  '57P05': UNKNOWN,
  // Errors of the operating system, such as a failed write.
  '58': UNAVAILABLE,
};

/** A prepared statement that the connection has lost, or whose name it already has. */
const UNPREPARED = new Set(['26000', '42P05']);
/** The routine that refuses a prepared plan whose columns a migration changed; its SQLSTATE, 0A000, is too general. */
const STALE_PLAN = 'RevalidateCachedQuery';

/** The session has ended, or a new one would reach the server that took over. */
const ENDS_CONNECTION = /^(?:08|57P|25006|25P0)/;

/** Node's codes for a connection that was never established. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
/** Messages of pg and its pool for such a connection, which have no code. */
const NEVER_CONNECTED = /timeout exceeded when trying to connect|connection timeout|Cannot use a pool after/i;
/** Node's codes for a connection that broke. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
/** Messages of pg and its pool that have no code, whether or not the connection was established. */
const DRIVER_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/;
/** Prisma ended the caller's transaction, which took longer than its own limit. */
const EXPIRED = 'P2028';
/** Errors of JavaScript itself. */
const MISTAKE = new Set(['TypeError', 'ReferenceError']);
/** Node's codes for a rejected certificate. */
const CERTIFICATE = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_)/;

/**
 * Interprets an error of a driver.
 *
 * @param wasSent whether the statement had a connection: without one it was certainly not applied
 * @throws the error itself if it is a programming mistake, such as a TypeError, which says nothing about PostgreSQL
 */
export function postgresFailure(error: unknown, wasSent: boolean): PostgresFailure {
  const known = chainOf(error).find((one) => one instanceof PostgresFailure);
  if (known instanceof PostgresFailure) return known;
  const { code, constraint, message, syscall, routine } = factsOf(error);
  if (isSqlState(code)) {
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
  if (error instanceof Error && MISTAKE.has(error.name)) throw error;
  if (code === EXPIRED) return new PostgresFailure('BUSY', `PostgreSQL: ${message}`, { cause: error });
  if (CERTIFICATE.test(code)) {
    const advice = `Check the certificate authority and the host name of the connection (${code})`;
    return new PostgresFailure('MISCONFIGURED', `PostgreSQL's certificate: ${message}`, {
      advice,
      cause: error,
    });
  }
  const isCertain =
    !wasSent || NEVER_SENT.has(code) || syscall === 'connect' || NEVER_CONNECTED.test(message);
  return isCertain
    ? new PostgresFailure('UNAVAILABLE', `PostgreSQL cannot be reached: ${message}`, { cause: error })
    : new PostgresFailure('UNKNOWN', `PostgreSQL did not respond: ${message}`, { cause: error });
}

/**
 * Interprets an error of any origin, such as one passed on by an ORM.
 *
 * @returns `undefined` if it does not look like an error of PostgreSQL or its driver
 */
export function postgresFailureIn(error: unknown): PostgresFailure | undefined {
  const { code, message } = factsOf(error);
  const isKnown =
    isSqlState(code) ||
    NEVER_SENT.has(code) ||
    BROKEN.has(code) ||
    CERTIFICATE.test(code) ||
    DRIVER_MESSAGE.test(message);
  const isOurs = chainOf(error).some((one) => one instanceof PostgresFailure);
  return isOurs || isKnown ? postgresFailure(error, true) : undefined;
}

/** Whether a failed statement's connection must not be reused. */
export function endsConnection({ sqlState, isUnprepared }: PostgresFailure): boolean {
  return sqlState === undefined || isUnprepared || ENDS_CONNECTION.test(sqlState);
}

/** The failure of a call whose deadline has passed. */
export const noAnswer = (): PostgresFailure =>
  new PostgresFailure('UNKNOWN', 'PostgreSQL did not respond before the deadline');

/** For reads, and before COMMIT: nothing is applied until then, so `UNKNOWN` becomes `UNAVAILABLE`. */
export function notApplied(failure: PostgresFailure): PostgresFailure {
  const { kind, message, sqlState, cause } = failure;
  return kind === 'UNKNOWN' ? new PostgresFailure('UNAVAILABLE', message, { sqlState, cause }) : failure;
}

/** For what follows a change that may have been applied: whatever failed, the outcome of the change is `UNKNOWN`. */
export function inDoubt(failure: PostgresFailure): PostgresFailure {
  if (failure.kind === 'UNKNOWN') return failure;
  const message = `a change was sent whose outcome is not known; then: ${failure.message}`;
  return new PostgresFailure('UNKNOWN', message, { cause: failure });
}
