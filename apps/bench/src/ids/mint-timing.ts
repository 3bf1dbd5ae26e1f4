import { median } from '../measuring/statistics.js';
import { type IdForm, mintCases } from './mint-cases.js';
import { mockClock } from './mocked-clock.js';

/** The clock while IDs are timed: mocked, real in bursts, or real with one ID in each turn of the event loop. */
export type ClockKind = 'mocked' | 'real' | 'turn';

/** The cost of one ID, and how many of those minted on the real clock came twice. */
export interface MintTime {
  readonly nsPerId: number;
  readonly repeatedCount: number;
  readonly checkedCount: number;
}

/**
 * Times one case. It needs a process of its own, so that a peer's effects on the optimizer, the heap or `Date` cannot
 * reach the next one.
 */
export async function timeCase(form: IdForm, subject: string, clockKind: ClockKind): Promise<MintTime> {
  const found = mintCases.find((candidate) => candidate.form === form && candidate.subject === subject);
  if (found === undefined) throw new Error(`no minting case ${form} ${subject}`);
  const clock = clockKind === 'mocked' ? mockClock() : { tick: () => {}, restore: () => {} };
  const mint = await found.create({ clock, node: 5 });
  const nsPerId = await {
    mocked: async () => nanosecondsPerId(mint, found.idsPerCall ?? 1),
    real: () => nanosecondsPerIdInBursts(mint),
    turn: () => nanosecondsPerIdInTurns(mint),
  }[clockKind]();
  clock.restore();
  return { nsPerId, ...countRepeated(await found.create({ clock, node: 6 })) };
}

/** Keeps results alive: a loop whose results are unused might be optimized away. */
const ring: unknown[] = Array.from({ length: 64 }, () => 0);

/** Length of one timed run. The median of three runs counts. */
const TIMED_MS = 80;
const RUN_COUNT = 3;

/**
 * Measures the nanoseconds per ID in a tight loop: warmed up, calibrated to a length that the clock resolves well, the
 * median of three runs. The end of each string is read, since V8 builds a rope only when it is accessed.
 */
function nanosecondsPerId(mint: () => unknown, idsPerCall: number): number {
  let calls = 64;
  for (let elapsedMs = 0; elapsedMs < TIMED_MS / 2; calls *= 2) elapsedMs = timed(mint, calls);
  const once = timed(mint, calls);
  const callsPerRun = Math.max(1, Math.round((calls * TIMED_MS) / Math.max(0.01, once)));
  const runs = Array.from({ length: RUN_COUNT }, () => timed(mint, callsPerRun));
  return (median(runs) * 1e6) / callsPerRun / idsPerCall;
}

function timed(mint: () => unknown, calls: number): number {
  const startedMs = performance.now();
  for (let call = 0; call < calls; call += 1) {
    const id = mint();
    ring[call & 63] = typeof id === 'string' ? id.charCodeAt(id.length - 1) : id;
  }
  return performance.now() - startedMs;
}

/** IDs per burst: fewer than any subject can mint in a millisecond, so that none waits for the next one. */
const BURST = 1_000;
const WARM_UP_BURSTS = 200;
const TIMED_BURSTS = 400;

/**
 * Measures the nanoseconds per ID on the real clock without waiting for it: each burst begins with a new millisecond,
 * and the median of all bursts counts. One turn of the event loop separates two bursts, as it does two requests.
 */
async function nanosecondsPerIdInBursts(mint: () => unknown): Promise<number> {
  const bursts: number[] = [];
  for (let burst = 0; burst < WARM_UP_BURSTS + TIMED_BURSTS; burst += 1) {
    await new Promise(setImmediate);
    const before = Date.now();
    while (Date.now() === before);
    const elapsedMs = timed(mint, BURST);
    if (burst >= WARM_UP_BURSTS) bursts.push((elapsedMs * 1e6) / BURST);
  }
  return median(bursts);
}

const WARM_UP_TURNS = 5_000;
const TIMED_TURNS = 20_000;

/**
 * Measures the nanoseconds of one ID in each turn of the event loop, as for one request: nothing is amortized. The median,
 * less that of the measurement itself.
 */
async function nanosecondsPerIdInTurns(mint: () => unknown): Promise<number> {
  const minting: number[] = [];
  const nothing: number[] = [];
  for (let turn = 0; turn < WARM_UP_TURNS + TIMED_TURNS; turn += 1) {
    await new Promise(setImmediate);
    const [empty, full] = [timed(() => turn, 1), timed(mint, 1)];
    if (turn < WARM_UP_TURNS) continue;
    nothing.push(empty);
    minting.push(full);
  }
  return (median(minting) - median(nothing)) * 1e6;
}

/** How long, and for how many IDs at most, a subject mints on the real clock to check for duplicates. */
const CHECK_MS = 60;
const CHECKED_MAX = 100_000;

/** Mints in a tight loop on the real clock and counts duplicate IDs. */
function countRepeated(mint: () => unknown): { repeatedCount: number; checkedCount: number } {
  const seen = new Set<string>();
  let checkedCount = 0;
  const untilMs = performance.now() + CHECK_MS;
  while (checkedCount < CHECKED_MAX && performance.now() < untilMs) {
    for (const text of textsOf(mint())) {
      seen.add(text);
      checkedCount += 1;
    }
  }
  return { repeatedCount: checkedCount - seen.size, checkedCount };
}

function textsOf(minted: unknown): string[] {
  if (minted instanceof BigUint64Array) return Array.from(minted, String);
  return [Buffer.isBuffer(minted) ? minted.toString('hex') : String(minted)];
}
