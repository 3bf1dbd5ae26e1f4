import type { Callers } from '../callers/callers.js';
import { CALL_LIMIT_MS } from '../callers/frontends.js';
import { check, type Violation } from '../history/check.js';
import type { Call } from '../history/history.js';
import { readStores } from './stores-at-the-end.js';

/** Once everything has recovered: lets callers repeat what is open and hear what is due, then checks it all. */
export async function judge(
  callers: Callers,
  calls: readonly Call[],
  databaseUrls: readonly string[],
): Promise<Violation[]> {
  await callers.settle();
  const calmFromMs = await callers.calm();
  await callers.subscribers.finish();
  const stores = await readStores(databaseUrls);
  const streams = callers.subscribers.received;
  return check({ ...stores, calls, streams, calmFromMs, callLimitMs: CALL_LIMIT_MS });
}
