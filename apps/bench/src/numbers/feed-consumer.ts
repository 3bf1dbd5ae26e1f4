import { createNumbering } from '@solegate/doc-numbering';
import { openPool } from '../running/database-pool.js';
import { BENCH_SERIES, BENCH_SPACE } from './subjects/solegate-numbering.js';

/** The order to read the feed of the series from its first number. */
export interface FeedOrder {
  readonly databaseUrl: string;
  readonly numberCount: number;
}

/** What it has read. */
export interface FeedReading {
  readonly perSecond: number;
  /** The first number that was not the next of its counter. */
  readonly witness?: string;
}

/** Taken at a time, as a consumer stores them with its cursor. */
const BATCH = 1000;
const CURSOR_MAX = 4096;

/** Reads from the first number, again and again, until it is ended; reports each time. */
process.on('message', ({ databaseUrl, numberCount }: FeedOrder) => {
  void follow(databaseUrl, numberCount);
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group; the bench decides when this ends.
process.on('SIGINT', () => undefined);

async function follow(databaseUrl: string, numberCount: number): Promise<void> {
  const numbering = createNumbering({ database: openPool(databaseUrl, 1) });
  for (;;) {
    const reading = await read(numbering, numberCount);
    process.send?.(reading satisfies FeedReading);
  }
}

async function read(
  numbering: ReturnType<typeof createNumbering>,
  numberCount: number,
): Promise<FeedReading> {
  const startedMs = performance.now();
  await using feed = await numbering.feed({ space: BENCH_SPACE, series: BENCH_SERIES });
  const last = new Map<string, number>();
  let witness: string | undefined;
  for (let readCount = 0; readCount < numberCount; ) {
    const facts = await feed.take(BATCH);
    for (const { entry } of facts) {
      if (entry.sequence !== (last.get(entry.counterId) ?? 0) + 1)
        witness ??= `${entry.number} came out of order`;
      last.set(entry.counterId, entry.sequence);
    }
    readCount += facts.length;
    if (feed.cursor.length > CURSOR_MAX) witness ??= `a cursor of ${feed.cursor.length} characters`;
  }
  const perSecond = (numberCount / (performance.now() - startedMs)) * 1000;
  return witness === undefined ? { perSecond } : { perSecond, witness };
}
