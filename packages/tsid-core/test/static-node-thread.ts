import { parentPort, workerData } from 'node:worker_threads';
import { createTsidGenerator } from '../src/index.js';

/** Mints on a static node in a thread, and posts the outcome. */
let answer = 'minted';
try {
  createTsidGenerator(workerData as { node: number; allowOffMainThread?: boolean }).next();
} catch (error) {
  answer = error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
parentPort?.postMessage(answer);
