/**
 * How this package uses PostgreSQL.
 *
 * Every statement can run twice: it is conditional on what it changes, and its caller reads back when nothing changed.
 * So after a lost reply it is sent again until a reply arrives, three attempts have failed or the deadline has passed.
 *
 * Every changing statement takes its lock limit as $1 (`lockLimit('$1')`) and waits for a row only briefly. If the row
 * stays locked, by a migration or a manual session, the statement is retried from one of a few places, so that the calls
 * that wait for it do not use up all connections. A place is for one short wait, first come, first served; a call that still
 * finds the row locked queues again. So twenty locked rows share the places, and each is tried in turn.
 */
import {
  type BoundedDatabase,
  type Deadline,
  notApplied,
  type Places,
  PostgresFailure,
  repeat,
  type SqlSession,
  type SqlTransaction,
  sessionOf,
  type TransactionOptions,
  withLockLimit,
} from '@solegate/postgres-infra';
import { InvalidRequestError } from '../trip/errors.js';

/** A statement of this package. Its text never changes, so its name identifies it. */
export interface TripStatement {
  readonly name: string;
  readonly text: string;
}

const ATTEMPT_MAX = 3;
/** Long enough for a normal commit to free the row, in milliseconds. */
const SHORT_WAIT_MS = 20;
/** Wait of one attempt at a row that stays locked, in milliseconds. */
const HELD_WAIT_MS = 250;
const HELD_PAUSE_MS = 20;
const ROW_HELD = '55P03';
/**
 * How long before the client's deadline the server ends a lock wait, so that the answer is BUSY (certainly not applied)
 * rather than UNKNOWN: longer than a busy machine takes to deliver it.
 */
const ANSWER_MS = 250;

export interface TripDatabaseOptions {
  readonly database: BoundedDatabase;
  readonly heldRows: Places;
  readonly random: () => number;
}

export class TripDatabase {
  readonly #options: TripDatabaseOptions;

  constructor(options: TripDatabaseOptions) {
    this.#options = options;
  }

  /** Starts a call whose statements run on connections of the pool. */
  call(deadline: Deadline): StoreCall {
    const { database, heldRows, random } = this.#options;
    return new StoreCall(database.changing(deadline), deadline, { heldRows, random });
  }

  /**
   * Runs a call inside the caller's transaction. Nothing is retried, because a failed statement aborts the transaction.
   * Restores the caller's own lock limit afterwards.
   */
  within<Result>(
    lent: SqlTransaction,
    deadline: Deadline,
    work: (call: StoreCall) => Promise<Result>,
  ): Promise<Result> {
    const refuse = (problem: string) => new InvalidRequestError('session', problem);
    const session = this.#options.database.lent(sessionOf(lent, refuse), deadline);
    return withLockLimit(session, deadline.leftMs - ANSWER_MS, {
      work: () => work(new StoreCall(session, deadline)),
      refuse: () => refuse('must be in a transaction, which commits the rest too'),
    });
  }

  /** Runs a statement that must not run twice. */
  async once(deadline: Deadline, statement: TripStatement, values: unknown[]): Promise<void> {
    await this.#options.database.changing(deadline).query({ ...statement, values });
  }

  transaction<Result>(
    deadline: Deadline,
    work: (session: SqlSession) => Promise<Result>,
    options: TransactionOptions<Result>,
  ): Promise<Result> {
    return this.#options.database.transaction(deadline, work, options);
  }
}

interface Repeats {
  readonly heldRows: Places;
  readonly random: () => number;
}

/** See `TripDatabase.call`. All methods throw PostgresFailure. */
export class StoreCall {
  readonly #session: SqlSession;
  readonly #repeats: Repeats | undefined;
  /** A change was sent and its reply was lost, and no read since has shown whether it was applied. */
  #isChangeUnknown = false;

  /** Whether the last change may have been applied without an answer: if it was repeated, it found itself done. */
  get isChangeUnknown(): boolean {
    return this.#isChangeUnknown;
  }

  /** @param repeats undefined: each statement is sent once */
  constructor(
    session: SqlSession,
    readonly deadline: Deadline,
    repeats?: Repeats,
  ) {
    this.#session = session;
    this.#repeats = repeats;
  }

  /** Runs a read-only statement and returns its rows. */
  async read(statement: TripStatement, values: unknown[]): Promise<unknown[]> {
    try {
      const rows = await this.#ask(statement, values, () => undefined);
      this.#isChangeUnknown = false;
      return rows;
    } catch (error) {
      if (this.#isChangeUnknown) throw asUnknown(error);
      throw error instanceof PostgresFailure ? notApplied(error) : error;
    }
  }

  /** Runs a changing statement, values from $2 on, and returns its rows; waits for locked rows until the deadline. */
  async change(statement: TripStatement, values: unknown[]): Promise<unknown[]> {
    const waitMs = this.#repeats ? SHORT_WAIT_MS : this.deadline.leftMs;
    const rows = await this.tryChange(statement, values, waitMs);
    return rows ?? this.changeHeld(statement, values);
  }

  /** Like `change`, for rows that are known to be locked. */
  async changeHeld(statement: TripStatement, values: unknown[]): Promise<unknown[]> {
    while (this.#repeats && this.deadline.leftMs > 2 * ANSWER_MS) {
      const { heldRows } = this.#repeats;
      await heldRows.take(this.deadline, rowHeld);
      const rows = await this.tryChange(statement, values, HELD_WAIT_MS).finally(() => heldRows.giveBack());
      if (rows) return rows;
      await new Promise((resolve) => setTimeout(resolve, Math.min(HELD_PAUSE_MS, this.deadline.leftMs)));
    }
    throw rowHeld();
  }

  /** Like `change`, but returns undefined, with nothing changed, if a row stayed locked longer than `waitMs`. */
  async tryChange(
    statement: TripStatement,
    values: unknown[],
    waitMs: number,
  ): Promise<unknown[] | undefined> {
    const limitMs = Math.max(1, Math.floor(Math.min(waitMs, this.deadline.leftMs - ANSWER_MS)));
    const noticeUnknown = () => {
      this.#isChangeUnknown = true;
    };
    try {
      return await this.#ask(statement, [String(limitMs), ...values], noticeUnknown);
    } catch (error) {
      if (this.#isChangeUnknown) throw asUnknown(error);
      if (error instanceof PostgresFailure && error.sqlState === ROW_HELD) return undefined;
      throw error;
    }
  }

  async #ask(statement: TripStatement, values: unknown[], lostReply: () => void): Promise<unknown[]> {
    const attempt = async () => {
      try {
        return { rows: (await this.#session.query({ ...statement, values })).rows };
      } catch (error) {
        if (!(error instanceof PostgresFailure)) throw error;
        if (error.kind === 'UNKNOWN') lostReply();
        // Returned, not thrown: the retry of a lock wait is not limited by the number of attempts.
        if (error.kind === 'BUSY') return error;
        throw error;
      }
    };
    const { deadline } = this;
    const answer = this.#repeats
      ? await repeat(attempt, { deadline, attemptMax: ATTEMPT_MAX, random: this.#repeats.random })
      : await attempt();
    if (answer instanceof PostgresFailure) throw answer;
    return answer.rows;
  }
}

const rowHeld = () => new PostgresFailure('BUSY', 'another session held the row until the deadline');

function asUnknown(error: unknown): unknown {
  if (!(error instanceof PostgresFailure)) return error;
  const { message, sqlState, cause } = error;
  return new PostgresFailure('UNKNOWN', message, { sqlState, cause });
}
