import { TripOutcomeUnknownError, TripStoreUnavailableError } from '../trip/errors.js';
import { sqlFailureOf } from './failure.js';
import type { SqlSession } from './session.js';

/** A statement of this package: its text never changes, so its name stands for it. */
export interface TripStatement {
  readonly name: string;
  readonly text: string;
}

/** Longest pause after the first and second attempt; a broken connection is replaced within it. */
const PAUSES_MS = [0, 10, 50];
const ATTEMPT_MAX = 3;

/**
 * PostgreSQL, asked until it answers or three attempts are spent.
 *
 * Every statement of this package may run twice: it is conditional on what it changes, and its caller reads
 * back when nothing changed. So a lost reply is simply asked again. Deadlocks and serialization failures were
 * rolled back and are asked again as well. A pooler that mixes connections (PgBouncer in transaction mode)
 * loses prepared statements: from the first such answer on, statements go unprepared.
 */
export class TripDatabase {
  readonly #session: SqlSession;
  readonly #random: () => number;
  readonly #attemptMax: number;
  #isPreparing = true;

  constructor(session: SqlSession, random: () => number, attemptMax = ATTEMPT_MAX) {
    this.#session = session;
    this.#random = random;
    this.#attemptMax = attemptMax;
  }

  /**
   * Inside a caller's transaction: there a statement that failed has ended everything, so it is asked once.
   */
  within(session: SqlSession): TripDatabase {
    return new TripDatabase(session, this.#random, 1);
  }

  /**
   * Rows of the statement.
   *
   * @throws TripStoreUnavailableError, TripOutcomeUnknownError; a statement that PostgreSQL refuses throws as
   *   it is
   */
  async run(statement: TripStatement, values: unknown[]): Promise<unknown[]> {
    let isUnknown = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await this.#query(statement, values)).rows;
      } catch (error) {
        const failure = sqlFailureOf(error);
        if (failure === 'FAULT') throw error;
        isUnknown ||= failure === 'UNKNOWN' || failure === 'SILENT';
        if (attempt === this.#attemptMax || failure === 'SILENT') {
          throw isUnknown ? new TripOutcomeUnknownError(error) : new TripStoreUnavailableError(error);
        }
      }
      await this.#pause(attempt);
    }
  }

  /** Rows of a statement that must not run twice. */
  async runOnce(statement: TripStatement, values: unknown[]): Promise<unknown[]> {
    return (await this.#query(statement, values)).rows;
  }

  async #query(statement: TripStatement, values: unknown[]) {
    if (this.#isPreparing) {
      try {
        return await this.#session.query({ ...statement, values });
      } catch (error) {
        if (sqlFailureOf(error) !== 'UNPREPARED') throw error;
        this.#isPreparing = false;
      }
    }
    return this.#session.query({ text: statement.text, values });
  }

  async #pause(attempt: number): Promise<void> {
    const pauseMs = (PAUSES_MS[attempt] ?? 0) * this.#random();
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
