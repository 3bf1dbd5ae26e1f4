import { type BoundedDatabase, Deadline, type PostgresFailure, repeat } from '@solegate/postgres-infra';
import type { CommitOptions } from '../draw/commit-batch.js';
import type { CounterQueue } from '../draw/counter-queue.js';
import { deadlineOf } from '../draw/draft.js';
import { openCounters } from '../draw/open-counters.js';
import type { HighWaterMarks } from '../redis/high-water-marks.js';
import type { Position } from '../request/resolved-request.js';
import { issueError } from './settle-draft.js';

/**
 * For which PostgreSQL the floors of counters are known. Only another server can have a lower row; so Redis is asked when
 * a counter is opened and again for each server that answers, and no round trip is added to a draw.
 */
export class CounterFloors {
  readonly #database: BoundedDatabase;
  readonly #marks: HighWaterMarks | undefined;
  /** The PostgreSQL that answered last, by its start. */
  server: string | undefined;

  constructor(database: BoundedDatabase, marks: HighWaterMarks | undefined) {
    this.#database = database;
    this.#marks = marks;
  }

  /** Asks for the marks of those counters whose marks are not known for this server. */
  async prepare(counters: readonly CounterQueue[]): Promise<void> {
    const unknown = counters.filter(({ markedFor }) => markedFor === undefined || markedFor !== this.server);
    if (unknown.length > 0) await this.refresh(unknown);
  }

  /** Asks for the marks now: a mark that a person has removed counts no more. */
  async refresh(counters: readonly CounterQueue[]): Promise<void> {
    const { server } = this;
    const found = this.#marks ? await this.#marks.read(counters.map(({ lockKey }) => lockKey.state)) : [];
    // Redis gave no answer: it is asked again before the next draw.
    if (!found) return;
    counters.forEach((counter, index) => {
      counter.hear(found[index]);
      counter.markedFor = server;
    });
  }

  /**
   * Looks again whether a counter really stands below a number that was issued: a mark may have been removed from Redis,
   * and what this process knows may have been accepted as lost by a person since.
   */
  async isBelow(counter: CounterQueue, position: Position): Promise<boolean> {
    await this.refresh([counter]);
    if (position.last >= counter.floor) return false;
    if (position.last < counter.rememberedMark) return true;
    const session = this.#database.reading(Deadline.after(LOOK_MS));
    const values = [counter.address.series.space, counter.counterId];
    const { rows } = await session.query({ text: SELECT_ACCEPTED, values });
    const [row] = rows as { last: string; age_ms: string }[];
    const isAccepted = row !== undefined && performance.now() - Number(row.age_ms) > counter.issuedMarkAtMs;
    if (isAccepted) counter.forget(position);
    return !isAccepted;
  }
}

/** When a person accepted last that a counter stands lower, and how long ago that is by the clock of the server. */
const SELECT_ACCEPTED = `
SELECT (facts ->> 'lastNumber')::bigint AS last, extract(epoch FROM clock_timestamp() - at) * 1000 AS age_ms
FROM document_number_events
WHERE space = $1 AND number IS NULL AND counter_id = $2::bigint AND type = 'regression_accepted'
ORDER BY id DESC
LIMIT 1`;
const LOOK_MS = 1000;

/** How often new rows are tried at a server that takes no changes. */
const ATTEMPT_MAX = 8;

/**
 * Finds or creates the rows of counters that are new to this process. Never rejects.
 *
 * @returns false when it failed: then everybody who waits for one of the counters has the error
 */
export async function openQueues(
  counters: readonly CounterQueue[],
  { database, floors, random, events }: CommitOptions & { readonly floors: CounterFloors },
): Promise<boolean> {
  const unopened = counters.filter(({ counterId, waiting }) => counterId === undefined && waiting.length > 0);
  if (unopened.length === 0) return true;
  const addresses = unopened.map(({ address }) => address);
  const deadline = deadlineOf(unopened.flatMap(({ waiting }) => waiting));
  const onRetry = ({ attempt, failure }: { attempt: number; failure: PostgresFailure }) =>
    events.storeRetried?.({ attempt, error: failure });
  try {
    const open = () => openCounters(database.changing(deadline), addresses);
    const opened = await repeat(open, { deadline, random, onRetry, attemptMax: ATTEMPT_MAX });
    floors.server = opened.server;
    for (const counter of unopened) counter.open(opened.counters.get(counter.key));
    return true;
  } catch (error) {
    for (const counter of counters) {
      for (const issue of counter.waiting.splice(0)) issue.fail(issueError(error, issue));
    }
    return false;
  }
}
