import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { explore, reported } from './explore.js';
import { CURRENT_RULES, type Rules } from './lease-rules.js';
import { ALL_ASSUMED, type Bounds } from './world.js';

/*
 * Explores in a thread of its own, since Jest's modules run several times slower; or as a program:
 * `npm run explore -- <events> <faults>`.
 */
if (isMainThread) {
  const [depth = 6, faultMax = 2] = process.argv.slice(2).map(Number);
  const found = explore(CURRENT_RULES, { depth, faultMax, assumed: ALL_ASSUMED });
  process.stdout.write(reported('all faults', found));
  process.exitCode = found.counterexample === undefined ? 0 : 1;
} else {
  const { rules, bounds } = workerData as { readonly rules: Rules; readonly bounds: Bounds };
  parentPort?.postMessage(explore(rules, bounds));
}
