import type { BoundedDatabase, Deadline, SqlSession, TransactionOptions } from '@solegate/postgres-infra';

/**
 * PostgreSQL for the time of one public call: every answer comes before the call's deadline, and a connection is had
 * only while one statement or one transaction runs. Whoever is in a transaction must not ask for another session.
 */
export class DatabaseCall {
  readonly database: BoundedDatabase;
  readonly deadline: Deadline;

  constructor(database: BoundedDatabase, deadline: Deadline) {
    this.database = database;
    this.deadline = deadline;
  }

  /** For statements that only read. */
  get reading(): SqlSession {
    return this.database.reading(this.deadline);
  }

  /** For statements of which a second run does nothing. */
  get repeating(): SqlSession {
    return this.database.changing(this.deadline, { attemptMax: ATTEMPT_MAX });
  }

  /** @throws what `work` throws, rolled back; PostgresFailure */
  transaction<Result>(
    work: (session: SqlSession) => Promise<Result>,
    options?: TransactionOptions<Result>,
  ): Promise<Result> {
    return this.database.transaction(this.deadline, work, options);
  }
}

const ATTEMPT_MAX = 3;
