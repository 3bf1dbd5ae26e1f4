import { parentPort, workerData } from 'node:worker_threads';
import { openSharedTsidGenerator, type SharedTsidHandle } from '../src/index.js';

/** Mints its share on the node it shares with other threads, and sends the IDs home. */
interface Share {
  readonly handle: SharedTsidHandle;
  readonly count: number;
  /** IDs taken at a time: 1 by next(), more by fill(). */
  readonly batch: number;
}

const { handle, count, batch } = workerData as Share;
const generator = openSharedTsidGenerator(handle);
const ids = new BigUint64Array(count);
let minted = 0;
let stoppedBy: string | undefined;
try {
  while (minted < count) {
    if (batch === 1) ids[minted] = generator.next();
    else generator.fill(ids.subarray(minted, minted + batch));
    minted += batch;
  }
} catch (error) {
  stoppedBy = error instanceof Error && 'reason' in error ? String(error.reason) : String(error);
}
// A copy: a view would be sent with its whole buffer.
parentPort?.postMessage({ ids: ids.slice(0, minted), stoppedBy });
