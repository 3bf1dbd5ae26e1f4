import { createNumbering } from '@solegate/doc-numbering';
import { openPool } from '../running/database-pool.js';
import { BENCH_SERIES, BENCH_SPACE } from './subjects/solegate-numbering.js';

/** What it has read. */
export interface FeedReading {
  readonly perSecond: number;
  /** The first number that was not the next of its counter. */
  readonly witness?: string;
}

/** Taken at a time, as a consumer stores them with its cursor. */
const BATCH = 1000;
const CURSOR_MAX = 4096;

/** Reads the feed of the series from its first number. */
export async function readFeed(databaseUrl: string, numberCount: number): Promise<FeedReading> {
  await using pool = openPool(databaseUrl, 1);
  await using numbering = createNumbering({ database: pool });
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
