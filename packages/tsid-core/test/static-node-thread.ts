import { parentPort, workerData } from 'node:worker_threads';
import { createSharedTsidGenerator, createTsidGenerator } from '../src/index.js';

/** Mints on a static node in a thread of its own, and sends home what came of it. */
const { isShared, ...options } = workerData as {
  node: number;
  isShared?: boolean;
  allowOffMainThread?: boolean;
};
let answer = 'minted';
try {
  (isShared ? createSharedTsidGenerator(options) : createTsidGenerator(options)).next();
} catch (error) {
  answer = error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
parentPort?.postMessage(answer);
