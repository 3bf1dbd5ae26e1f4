import { forkTypeScript, type TypeScriptChild, until } from '@solegate/testkit';
import type { Pool } from 'pg';

export interface DrillOptions {
  readonly databaseUrl: string;
  readonly redisUrl?: string | undefined;
  /** Default: `always`. */
  readonly lock?: 'crowd' | 'always' | 'never' | undefined;
  /** As for `createNumbering`. */
  readonly namedStatements?: boolean;
  readonly requestTimeoutMs?: number;
  /** Callers per process. Default: 25. */
  readonly callers?: number;
  /** Default: 1. */
  readonly counters?: number;
  readonly keyPrefix?: (process: number) => string;
  readonly repeats?: number;
  /** Number of requests per caller. Default: until the strike ends. */
  readonly rounds?: number;
  /** Time limit for all processes to start, and again to end. Default: 120,000, to allow for a loaded machine. */
  readonly timeoutMs?: number;
  /** Start of each process's clock, in epoch milliseconds. Default: now. */
  readonly startMs?: number;
  /** Issue through a writer whose documents are sealed in this chain. */
  readonly chain?: string;
  /** The fault to cause in the stores or the processes while numbers are issued. */
  readonly strike: (clerks: readonly TypeScriptChild[]) => Promise<void>;
}

/** A number that a caller received. */
export interface AnsweredNumber {
  readonly sequence: number;
  readonly counterId: string;
  readonly tookMs: number;
}

export interface DrillResult {
  readonly answered: readonly AnsweredNumber[];
  readonly failures: readonly string[];
  readonly conflicts: number;
  readonly fallbacks: number;
  readonly retried: number;
  readonly slowestMs: number;
}

interface Line {
  readonly answers?: readonly [number, string, number][];
  readonly failures?: readonly string[];
  readonly counts?: Readonly<Record<string, number>>;
}

const clerkFile = new URL('./drill-clerk.ts', import.meta.url);

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function forkIn(zone: string | undefined): TypeScriptChild {
  const before = process.env.TZ;
  if (zone !== undefined) process.env.TZ = zone;
  const child = forkTypeScript(clerkFile);
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
  return child;
}

/** Processes that issue numbers, reused between drills; a killed process is restarted. */
export class DrillTeam implements AsyncDisposable {
  readonly #clerks: TypeScriptChild[];

  /** @param zones time zone of each process; default: this machine's */
  constructor(processCount: number, zones: readonly string[] = []) {
    this.#clerks = Array.from({ length: processCount }, (_, index) => forkIn(zones[index]));
  }

  /** Starts a run in all processes, causes the fault, ends the run, and returns what all callers received. */
  async drill(options: DrillOptions): Promise<DrillResult> {
    const begun = this.#clerks.map(({ lines }) => lines.length);
    const { strike, keyPrefix, timeoutMs = 120_000, lock = 'always', ...run } = options;
    this.#clerks.forEach((clerk, index) => {
      clerk.send({ callers: 25, counters: 1, ...run, lock, keyPrefix: keyPrefix?.(index) });
    });
    const news = (index: number) => (this.#clerks[index]?.lines.slice(begun[index]) ?? []) as Line[];
    await until(() => this.#clerks.every((_, index) => news(index).some(({ answers }) => answers)), {
      timeoutMs,
    });
    await pause(300);
    await strike(this.#clerks);
    await pause(300);
    const ended = new Set<number>();
    this.#clerks.forEach((clerk, index) => {
      void clerk.exited.then(() => ended.add(index));
      if (run.rounds === undefined) clerk.send('stop');
    });
    await until(
      () =>
        this.#clerks.every((_, index) => ended.has(index) || news(index).some(({ failures }) => failures)),
      { timeoutMs },
    );
    const result = summarize(this.#clerks.flatMap((_, index) => news(index)));
    for (const index of ended) this.#clerks[index] = forkTypeScript(clerkFile);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clerks.map((clerk) => clerk.kill()));
  }
}

function summarize(lines: readonly Line[]): DrillResult {
  const answered = lines.flatMap(({ answers = [] }) =>
    answers.map(([sequence, counterId, tookMs]) => ({ sequence, counterId, tookMs })),
  );
  const sum = (name: string) => lines.reduce((total, { counts }) => total + (counts?.[name] ?? 0), 0);
  return {
    answered,
    failures: lines.flatMap(({ failures = [] }) => failures),
    conflicts: sum('conflicts'),
    fallbacks: sum('fallbacks'),
    retried: sum('retried'),
    slowestMs: answered.reduce((slowest, { tookMs }) => Math.max(slowest, tookMs), 0),
  };
}

/** @throws if a number was returned twice, a returned number is not in the ledger, or the ledger has a gap */
export async function compareWithLedger(
  pool: Pool,
  { answered }: DrillResult,
): Promise<{ unanswered: number }> {
  const places = answered.map(({ counterId, sequence }) => `${counterId}/${sequence}`);
  if (new Set(places).size !== places.length) throw new Error('a number was returned twice');
  const { rows } = await pool.query<{ place: string }>(
    "SELECT counter_id || '/' || sequence AS place FROM document_numbers",
  );
  const ledger = new Set(rows.map(({ place }) => place));
  const missing = places.filter((place) => !ledger.has(place));
  if (missing.length > 0)
    throw new Error(`${missing.length} numbers were returned and are not in the ledger: ${missing[0]}`);
  return { unanswered: ledger.size - places.length };
}
