/**
 * PostgreSQL as this package uses it.
 *
 * Every statement may run twice: it is conditional on what it changes, and its caller reads back when nothing changed.
 * So a lost reply is asked again until an answer comes, three attempts are spent or the call's deadline has passed.
 *
 * Every changing statement takes its lock limit as $1 (`lockLimit('$1')`) and waits for a row only briefly. A row that
 * is held for longer is asked for again from one of a few places (`HeldRows`), so that held rows never take all
 * connections.
 */
import {
  type BoundedDatabase,
  type Deadline,
  PostgresFailure,
  repeat,
  type SqlSession,
  type TransactionOptions,
  withLockLimit,
} from '@solegate/postgres-infra';
import { type HeldRows, rowHeld } from './held-rows.js';

/** A statement of this package: its text never changes, so its name stands for it. */
export interface TripStatement {
  readonly name: string;
  readonly text: string;
}

const ATTEMPT_MAX = 3;
/** A row in use is free again after a commit. */
const SHORT_WAIT_MS = 20;
/** Of one attempt at a row that is held for longer. */
const HELD_WAIT_MS = 250;
const HELD_PAUSE_MS = 20;
const ROW_HELD = '55P03';
/**
 * A wait ends at the server so long before the client stops waiting, so that the answer is BUSY, surely not applied, and
 * not unknown: longer than a busy machine takes to deliver it.
 */
const ANSWER_MS = 250;

export interface TripDatabaseOptions {
  readonly database: BoundedDatabase;
  readonly heldRows: HeldRows;
  readonly random: () => number;
}

export class TripDatabase {
  readonly #options: TripDatabaseOptions;

  constructor(options: TripDatabaseOptions) {
    this.#options = options;
  }

  /** The statements of one call, on connections of the pool. */
  call(deadline: Deadline): StoreCall {
    const { database, heldRows, random } = this.#options;
    return new StoreCall(database.changing(deadline), deadline, { heldRows, random });
  }

  /**
   * The statements of one call inside a caller's transaction, which a failed statement ends: nothing is repeated. The
   * caller's own lock limit holds again afterwards.
   */
  within<Result>(
    lent: SqlSession,
    deadline: Deadline,
    work: (call: StoreCall) => Promise<Result>,
  ): Promise<Result> {
    const session = this.#options.database.lent(lent, deadline);
    return withLockLimit(session, deadline.leftMs - ANSWER_MS, () => work(new StoreCall(session, deadline)));
  }

  /** A statement that must not run twice. */
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
  readonly heldRows: HeldRows;
  readonly random: () => number;
}

/** See `TripDatabase.call`. All methods throw PostgresFailure. */
export class StoreCall {
  readonly #session: SqlSession;
  readonly #repeats: Repeats | undefined;
  /** A change was sent and its reply was lost; nothing that was read since says whether it was applied. */
  #isChangeUnknown = false;

  /** @param repeats undefined: each statement is asked once */
  constructor(
    session: SqlSession,
    readonly deadline: Deadline,
    repeats?: Repeats,
  ) {
    this.#session = session;
    this.#repeats = repeats;
  }

  /** Rows of a statement that only reads. */
  async read(statement: TripStatement, values: unknown[]): Promise<unknown[]> {
    try {
      const rows = await this.#ask(statement, values, () => undefined);
      this.#isChangeUnknown = false;
      return rows;
    } catch (error) {
      throw this.#isChangeUnknown ? asUnknown(error) : asUnavailable(error);
    }
  }

  /** Rows of a changing statement, its values from $2 on; waits for a row that somebody holds until the deadline. */
  async change(statement: TripStatement, values: unknown[]): Promise<unknown[]> {
    const waitMs = this.#repeats ? SHORT_WAIT_MS : this.deadline.leftMs;
    const rows = await this.tryChange(statement, values, waitMs);
    return rows ?? this.changeHeld(statement, values);
  }

  /** As `change`, for rows that are known to be held. */
  async changeHeld(statement: TripStatement, values: unknown[]): Promise<unknown[]> {
    while (this.#repeats && this.deadline.leftMs > 2 * ANSWER_MS) {
      const attempt = () => this.tryChange(statement, values, HELD_WAIT_MS);
      const rows = await this.#repeats.heldRows.take(this.deadline, attempt);
      if (rows) return rows;
      await new Promise((resolve) => setTimeout(resolve, Math.min(HELD_PAUSE_MS, this.deadline.leftMs)));
    }
    throw rowHeld();
  }

  /** As `change`; undefined when a row was held for longer than `waitMs`: nothing was changed then. */
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
        // Whether to wait again is not decided by how often it failed.
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

function asUnknown(error: unknown): unknown {
  return error instanceof PostgresFailure ? withKind('UNKNOWN', error) : error;
}

/** Nothing can have been applied by a read, so that not to know its outcome is not to have it. */
function asUnavailable(error: unknown): unknown {
  return error instanceof PostgresFailure && error.kind === 'UNKNOWN'
    ? withKind('UNAVAILABLE', error)
    : error;
}

function withKind(kind: PostgresFailure['kind'], { message, sqlState, cause }: PostgresFailure) {
  return new PostgresFailure(kind, message, { sqlState, cause });
}
