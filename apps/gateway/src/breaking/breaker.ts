import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { answerOf } from './demo-caller.js';
import type { NumbersOrder, RaceOrder } from './load-process.js';
import { type LoadReport, Tally } from './tally.js';

/*
 * Attempts to break the promises of a demo gateway: several processes issue numbers and race for trips over GraphQL,
 * at random times. The processes report each answer; this one counts, and has the ledger searched for holes.
 */

const PROCESS_COUNT = 4;
const DRIVERS_PER_PROCESS = 4;
/** A run ends by itself. */
const RUN_MAX_MS = 300_000;
const RACE_EVERY_MS = 250;
/** Trips requested, but not answered yet. */
const OPEN_RACES_MAX = 8;
const HOLES_EVERY_MS = 2_000;
const REDIS_STOPPED_MS = 10_000;
interface BreakerParts {
  /** The GraphQL endpoint to call. */
  readonly url: () => string;
  /** Prepares the series that the numbers are taken from. */
  readonly prepare: () => Promise<Omit<NumbersOrder, 'kind' | 'url'>>;
  /** Counts the sequences of that series that have no row. */
  readonly countHoles: () => Promise<number>;
  /** Makes Redis answer nobody for a time. */
  readonly stopRedis: (forMs: number) => Promise<void>;
  /** The program of a load process. */
  readonly program?: URL;
}

export class Breaker {
  #tally = new Tally();
  #isRunning = false;
  #startedAt: Date | undefined;
  #endedAt: Date | undefined;
  #children: ChildProcess[] = [];
  #timers: NodeJS.Timeout[] = [];
  #holes: { readonly count: number; readonly checkedAt: Date } | undefined;
  #redisBackAt: Date | undefined;
  #search: Promise<void> | undefined;
  #end: Promise<void> | undefined;
  #openRaces = 0;

  constructor(private readonly parts: BreakerParts) {}

  /** What has been counted since the start of the run; times as ISO 8601, null for what has not happened yet. */
  get state() {
    const { numberCount, duplicateCount, raceCount, pressCount, secondWinnerCount, failedCount } =
      this.#tally;
    return {
      /** From the start until the ledger was searched after the end. */
      isRunning: this.#isRunning,
      startedAt: this.#startedAt?.toISOString() ?? null,
      /** When the last process ended. */
      endedAt: this.#endedAt?.toISOString() ?? null,
      processCount: this.#children.length,
      numberCount,
      duplicateCount,
      raceCount,
      pressCount,
      secondWinnerCount,
      /** Calls without a result, however often they were tried. */
      failedCount,
      holeCount: this.#holes?.count ?? 0,
      /** When the last search that succeeded began. */
      holesCheckedAt: this.#holes?.checkedAt.toISOString() ?? null,
      /** When Redis answers again. */
      redisBackAt: this.#redisBackAt?.toISOString() ?? null,
    };
  }

  /** Starts a run with empty counts; a run in progress continues. */
  async start(): Promise<void> {
    if (this.#isRunning) return;
    const order: NumbersOrder = { kind: 'numbers', url: this.parts.url(), ...(await this.parts.prepare()) };
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#tally = new Tally();
    this.#holes = undefined;
    this.#startedAt = new Date();
    this.#endedAt = undefined;
    this.#children = Array.from({ length: PROCESS_COUNT }, () => this.#fork(order));
    this.#timers = [
      setInterval(() => void this.#race(), RACE_EVERY_MS),
      setInterval(() => void this.#searchHoles(), HOLES_EVERY_MS),
      setTimeout(() => void this.stop(), RUN_MAX_MS),
    ];
  }

  /** Ends the run with a last search of the ledger; the counts stay. */
  async stop(): Promise<void> {
    if (!this.#isRunning) return;
    this.#end ??= this.#finish();
    await this.#end;
  }

  async #finish(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    await Promise.all(
      this.#children.splice(0).map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
    this.#endedAt = new Date();
    // A search that began before may have missed the last numbers.
    await this.#search;
    await this.#searchHoles();
    this.#isRunning = false;
    this.#end = undefined;
  }

  /** Makes Redis answer nobody for ten seconds; not again before they are over. */
  async stopRedis(): Promise<void> {
    if (this.#redisBackAt !== undefined && this.#redisBackAt.getTime() > Date.now()) return;
    this.#redisBackAt = new Date(Date.now() + REDIS_STOPPED_MS);
    await this.parts.stopRedis(REDIS_STOPPED_MS);
  }

  #fork(order: NumbersOrder): ChildProcess {
    const tally = this.#tally;
    const child = fork(this.parts.program ?? new URL('./load-process.js', import.meta.url), {
      execArgv: [],
      stdio: 'ignore',
    });
    child.on('message', (report: LoadReport) => tally.add(report));
    child.on('error', () => undefined);
    child.on('exit', () => {
      this.#children = this.#children.filter((other) => other !== child);
    });
    child.send(order);
    return child;
  }

  /** Requests a trip, and lets drivers of every process accept it. */
  async #race(): Promise<void> {
    if (this.#openRaces >= OPEN_RACES_MAX) return;
    const url = this.parts.url();
    this.#openRaces += 1;
    const input = { idempotencyKey: crypto.randomUUID() };
    const data = await answerOf(url, 'rider-4', { name: 'RequestTrip', input });
    this.#openRaces -= 1;
    if (data === undefined) return this.#tally.add({ kind: 'failed' });
    const { id, offerEpoch } = data.requestTrip as { readonly id: string; readonly offerEpoch: number };
    for (const child of this.#children) {
      const driverIds = Array.from({ length: DRIVERS_PER_PROCESS }, anyDriver);
      const order: RaceOrder = { kind: 'race', url, tripId: id, offerEpoch, driverIds };
      if (child.connected) child.send(order);
    }
  }

  /** Searches the ledger; while a search is running, waits for that one. */
  #searchHoles(): Promise<void> {
    this.#search ??= this.#countHoles().finally(() => {
      this.#search = undefined;
    });
    return this.#search;
  }

  async #countHoles(): Promise<void> {
    const checkedAt = new Date();
    try {
      this.#holes = { count: await this.parts.countHoles(), checkedAt };
    } catch {
      // The time of the last search shows that there was none since.
    }
  }
}

/** A driver who is unlikely to have a trip. */
function anyDriver(): string {
  return String(100_000_000 + Math.floor(Math.random() * 900_000_000));
}
