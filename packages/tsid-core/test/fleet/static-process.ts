import { createTsidGenerator } from '../../src/index.js';
import { toRuns } from './mint-log.js';
import { SLOW } from './slow-layout.js';

const COUNT = 500_000;

/*
 * Mints on static node 7 as an operating system process. Arguments: how far it borrows from the future in ms, 0 for not at
 * all; startAfterMs, or nothing. Prints {runs}, or {code} if the generator is refused, and exits.
 */
const [borrowMaxMs = 0, startAfterMs] = process.argv.slice(2).map(Number);

let answer: object;
try {
  const generator = createTsidGenerator({
    node: 7,
    layout: SLOW,
    randomStart: false,
    ...(borrowMaxMs > 0 && { overflow: { borrowMaxMs } }),
    ...(startAfterMs !== undefined && { startAfterMs }),
  });
  answer = { runs: toRuns(generator.fill(new BigUint64Array(borrowMaxMs > 0 ? COUNT : COUNT / 20))) };
} catch (error) {
  answer = { code: (error as { code?: string }).code };
}
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
