import { Deadline, repeat, type SqlSession } from '@solegate/postgres-infra';
import type { CommitOptions } from '../draw/commit-batch.js';
import { type CounterQueue, deadlineOf } from '../draw/counter-queue.js';
import { SERVER } from '../draw/draw-statement.js';
import type { HighWaterMarks } from '../redis/high-water-marks.js';
import type { CounterAddress, Position } from '../request/resolved-request.js';

const FOUND = `
SELECT c.*
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS w (series_id, dimensions, period)
JOIN document_number_counters c USING (series_id, dimensions, period)`;

const reply = (counters: string): string => `
SELECT ${SERVER} AS server, concat_ws(E'\\n', c.series_id, c.dimensions, c.period) AS key,
  CASE WHEN c.id IS NOT NULL THEN json_build_object('counterId', c.id::text,
    'position', json_build_object('version', c.version, 'last', c.last_number)) END AS opened
FROM (VALUES (1)) AS one
LEFT JOIN (${counters}) c ON true`;

const SELECT_COUNTERS = reply(FOUND);

/** Inserts or does nothing: a counter created concurrently is not touched, and is not in the reply. */
const OPEN_COUNTERS = `
WITH found AS MATERIALIZED (${FOUND}
),
created AS (
  INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number)
  SELECT s.id, w.dimensions, w.period, s.start_at, s.start_at - 1
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS w (series_id, dimensions, period)
  JOIN document_number_series s ON s.id = w.series_id
  WHERE NOT EXISTS (
    SELECT FROM found f WHERE (f.series_id, f.dimensions, f.period) = (w.series_id, w.dimensions, w.period)
  )
  ORDER BY s.id, w.dimensions, w.period
  ON CONFLICT ON CONSTRAINT document_number_counters_scope_key DO NOTHING
  RETURNING *
)${reply(`
  SELECT * FROM found UNION ALL SELECT * FROM created
`)}`;

interface OpenedCounter {
  readonly counterId: string;
  readonly position: Position;
}

interface OpenedCounters {
  /** The PostgreSQL that replied, identified by its start time. */
  readonly server: string;
  /** By the key of their address. */
  readonly counters: ReadonlyMap<string, OpenedCounter>;
}

/** Finds the rows of counters; those that do not exist are left out. */
export async function findCounters(
  session: SqlSession,
  addresses: readonly CounterAddress[],
  text = SELECT_COUNTERS,
): Promise<OpenedCounters> {
  const { rows } = await session.query({ text, values: scopeColumns(addresses) });
  const found = rows as { server: string; key: string; opened: OpenedCounter | null }[];
  const counters = found.flatMap(({ key, opened }) => (opened ? [[key, opened] as const] : []));
  return { server: found[0]?.server ?? '', counters: new Map(counters) };
}

/** Finds the rows of counters, and creates those that do not exist. */
export async function openCounters(
  session: SqlSession,
  addresses: readonly CounterAddress[],
): Promise<OpenedCounters> {
  const opened = await findCounters(session, addresses, OPEN_COUNTERS);
  const isComplete = addresses.every(({ key }) => opened.counters.has(key));
  return isComplete ? opened : findCounters(session, addresses);
}

const scopeColumns = (addresses: readonly CounterAddress[]): unknown[] => [
  addresses.map(({ series }) => series.id),
  addresses.map(({ dimensionsKey }) => dimensionsKey),
  addresses.map(({ period }) => period),
];

/** When a person last accepted a lower position of a counter, by the server's clock. */
const SELECT_ACCEPTED = `
SELECT extract(epoch FROM clock_timestamp() - at) * 1000 AS age_ms
FROM document_number_events
WHERE space = $1 AND number IS NULL AND counter_id = $2::bigint AND type = 'regression_accepted'
ORDER BY id DESC
LIMIT 1`;
const LOOK_MS = 1000;
/** Attempts to create rows on a server that accepts no changes. */
const ATTEMPT_MAX = 8;

export interface FloorOptions extends CommitOptions {
  readonly marks: HighWaterMarks | undefined;
}

/**
 * Tracks for which PostgreSQL the floors of counters are known. Only a different server can have a lower row, so Redis
 * is read when a counter is opened and again for each new server; a draw needs no extra round trip.
 */
export class CounterFloors {
  readonly #options: FloorOptions;
  /** The PostgreSQL that replied last, identified by its start time. */
  server: string | undefined;

  constructor(options: FloorOptions) {
    this.#options = options;
  }

  /** Finds or creates the rows of counters that are new to this process. @throws PostgresFailure */
  async open(counters: readonly CounterQueue[]): Promise<void> {
    const { database, random, observer } = this.#options;
    const addresses = counters.map(({ address }) => address);
    const deadline = deadlineOf(counters.flatMap(({ waiting }) => waiting));
    const opened = await repeat(() => openCounters(database.changing(deadline), addresses), {
      deadline,
      random,
      attemptMax: ATTEMPT_MAX,
      onRetry: ({ attempt, failure }) => observer.storeRetried?.({ attempt, error: failure }),
    });
    this.note(opened, counters);
  }

  note({ server, counters: found }: OpenedCounters, counters: readonly CounterQueue[]): void {
    this.server = server;
    for (const counter of counters) {
      const opened = found.get(counter.address.key);
      if (!opened) throw new Error(`PostgreSQL did not create the counter ${counter.address.key}`);
      counter.counterId = opened.counterId;
      counter.learn(opened.position);
    }
  }

  /** Reads the marks again: a mark that a person has removed no longer counts. */
  async refresh(counters: readonly CounterQueue[]): Promise<void> {
    const { server } = this;
    const { marks } = this.#options;
    const found = marks ? await marks.read(counters.map(({ lockKey }) => lockKey.state)) : [];
    // Redis did not respond: it is read again before the next draw.
    if (!found) return;
    counters.forEach((counter, index) => {
      counter.hear(found[index]);
      counter.markedFor = server;
    });
  }

  /** Checks again: the mark might have been removed from Redis, or a person might have accepted the loss. */
  async isBelow(counter: CounterQueue, position: Position): Promise<boolean> {
    await this.refresh([counter]);
    if (position.last >= counter.floor) return false;
    if (position.last < counter.rememberedMark) return true;
    const session = this.#options.database.reading(Deadline.after(LOOK_MS));
    const values = [counter.address.series.space, counter.counterId];
    const { rows } = await session.query({ text: SELECT_ACCEPTED, values });
    const [row] = rows as { age_ms: string }[];
    const isAccepted = row !== undefined && performance.now() - Number(row.age_ms) > counter.issuedMarkAtMs;
    if (isAccepted) counter.forget(position);
    return !isAccepted;
  }
}
