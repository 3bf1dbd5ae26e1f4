import { type BoundedDatabase, Deadline, PostgresFailure, settleBy } from '@solegate/postgres-infra';
import { InvalidRequestError } from '../trip/errors.js';

/** A restored or copied database has the same row, but another system identifier or another oid. */
const READ_NAMESPACE = {
  name: 'solegate_read_namespace',
  text: `
  SELECT left(encode(sha256(convert_to(concat_ws(':', n.id, s.system_identifier, d.oid), 'UTF8')), 'hex'), 16) AS namespace
  FROM trip_namespace n, pg_control_system() s, pg_database d WHERE d.datname = current_database()`,
  values: [],
};

/** Limit for reading it once, in milliseconds. */
const READ_TIMEOUT_MS = 5_000;
const GIVEN = /^[\w-]{1,64}$/;

/**
 * Part of every Redis key and channel of this package, so that several databases can share one Redis. Without it, a
 * driver would be answered that a trip is taken because a trip of another database with the same ID is.
 */
export class Namespace {
  readonly #database: BoundedDatabase | undefined;
  #asked: Promise<string> | undefined;
  #known: string | undefined;

  /** @param given used as it is; undefined: read from the database, once */
  constructor(given: string | undefined, database: BoundedDatabase | undefined) {
    if (given !== undefined && !GIVEN.test(given)) {
      throw new InvalidRequestError('namespace', 'must be 1 to 64 letters, digits, "_" or "-"');
    }
    this.#database = database;
    this.#known = given;
  }

  /** Undefined until it was read. */
  get known(): string | undefined {
    return this.#known;
  }

  /** @throws PostgresFailure; by the deadline. A later call then tries again. */
  async read(deadline: Deadline): Promise<string> {
    if (this.#known !== undefined) return this.#known;
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = undefined;
    });
    const late = () =>
      new PostgresFailure('UNAVAILABLE', 'PostgreSQL did not reply in time which database it is');
    return settleBy(this.#asked, deadline, late);
  }

  async #ask(): Promise<string> {
    const session = this.#database?.reading(Deadline.after(READ_TIMEOUT_MS));
    const rows = (await session?.query(READ_NAMESPACE))?.rows as { namespace: string }[] | undefined;
    const namespace = rows?.[0]?.namespace;
    if (namespace === undefined) throw new Error('the table trip_namespace must have one row');
    this.#known = namespace;
    return namespace;
  }
}
