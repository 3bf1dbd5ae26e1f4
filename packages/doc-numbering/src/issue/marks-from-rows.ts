import type { NumberingObserver } from '../contract/observer.js';
import type { RedisOptions } from '../redis/crowd-locks.js';
import { type HighWaterMarks, MARK_DAYS } from '../redis/high-water-marks.js';
import { lockKey, type NamedCounter, type Position } from '../request/resolved-request.js';
import type { PublicCalls } from '../sql/public-calls.js';
import { selectRows } from '../sql/rows.js';

/** Counters in one page. */
const PAGE = 1000;
/** How long the process that raises the marks can be silent before another does it. */
const LEASE_MS = 10_000;
/** How long marks raised from rows are taken for complete: the processes of a fleet start within this time. */
const DONE_MS = 60_000;

const SELECT_PAGE = `
SELECT c.id::text AS "counterId", to_json(s) AS series, c.dimensions::json, c.period, c.version::float8,
  c.last_number::float8 AS last,
  c.last_number >= c.first_number AND c.updated_at > now() - ${MARK_DAYS} * interval '1 day' AS "isMarked"
FROM (SELECT * FROM document_number_counters WHERE id > $1::bigint ORDER BY id LIMIT ${PAGE}) c
CROSS JOIN LATERAL (SELECT r.space, r.code AS series, r.identity FROM document_number_series r WHERE r.id = c.series_id) s
ORDER BY c.id`;

interface CounterRow extends NamedCounter, Position {
  readonly counterId: string;
  readonly isMarked: boolean;
}

export interface RowOptions extends Pick<RedisOptions, 'redis'> {
  readonly calls: PublicCalls;
  readonly marks: HighWaterMarks;
  readonly observer: NumberingObserver;
}

/**
 * Raises the marks of all counters of the last 30 days to their rows when Redis is ready, at the start and after it was
 * away: it might be empty, and the processes that knew the marks might have ended. It runs in the background, page by
 * page, and nothing waits for it. Of a fleet, one process does it: the one whose key is in Redis, where the marks are, so
 * that whatever empties Redis elects again. The key expires if that process ends, and another begins anew.
 */
export class MarksFromRows {
  readonly #options: RowOptions;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isClosed = false;

  constructor(options: RowOptions) {
    this.#options = options;
  }

  /** Begins, unless it runs already. Never rejects; what fails is tried again. */
  async raise(): Promise<void> {
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    clearTimeout(this.#timer);
    let isDone = false;
    try {
      isDone = await this.#raiseAll();
    } catch (error) {
      if (!this.#isClosed) this.#options.observer.releaseFailed?.(error);
    }
    this.#isRunning = false;
    if (isDone || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.raise(), LEASE_MS);
    // The timer must not keep an otherwise idle process alive.
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** @returns whether this or another process has raised all marks */
  async #raiseAll(): Promise<boolean> {
    const { calls, marks, redis } = this.#options;
    let election: string | undefined;
    for (let after = '0', rowCount = PAGE; rowCount === PAGE; ) {
      const page = await calls.run((call) => selectRows<CounterRow>(call.reading, SELECT_PAGE, [after]));
      const [first] = page;
      if (!first) break;
      if (election) await redis.set(election, 'raising', 'PX', LEASE_MS);
      else {
        election = `doc_num:raised:${first.series.identity}`;
        const elected = await redis.set(election, 'raising', 'PX', LEASE_MS, 'NX');
        if (elected === null) return (await redis.get(election)) === 'done';
      }
      const marked = page.filter(({ isMarked }) => isMarked);
      await marks.write(marked.map((row) => [lockKey(row).state, row]));
      rowCount = page.length;
      after = page.at(-1)?.counterId ?? after;
    }
    if (election) await redis.set(election, 'done', 'PX', DONE_MS);
    return true;
  }
}
