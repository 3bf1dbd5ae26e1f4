import { forkTypeScript, type TypeScriptChild } from '@solegate/testkit';
import type { Pool } from 'pg';

export interface DrillOptions {
  readonly databaseUrl: string;
  readonly redisUrl?: string | undefined;
  readonly processes?: number;
  readonly callers?: number;
  readonly counters?: number;
  readonly isKeyed?: boolean;
  /** Default 1,500. */
  readonly lastsMs?: number;
  /** What happens to the stores or the processes while numbers are issued. */
  readonly strike: (clerks: readonly TypeScriptChild[]) => Promise<void>;
}

/** What callers were told. */
export interface Told {
  readonly sequence: number;
  readonly counterId: string;
  readonly tookMs: number;
}

export interface DrillResult {
  readonly told: readonly Told[];
  readonly failures: readonly string[];
  readonly conflicts: number;
  readonly fallbacks: number;
  readonly retried: number;
  readonly slowestMs: number;
}

type Line = { answers?: [number, string, string | null, number][]; failures?: string[]; counts?: Record<string, number> };

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets several processes issue numbers, strikes, stops them, and gives what all callers were told. */
export async function drill(options: DrillOptions): Promise<DrillResult> {
  const { processes = 4, callers = 25, counters = 1, isKeyed = false, lastsMs = 1500 } = options;
  const clerk = new URL('./drill-clerk.ts', import.meta.url);
  const clerks = Array.from({ length: processes }, (_, index) =>
    forkTypeScript(clerk, [
      options.databaseUrl,
      options.redisUrl ?? '-',
      String(callers),
      String(counters),
      isKeyed ? `p${index}` : '',
    ]),
  );
  try {
    await Promise.all(clerks.map((child) => child.nextLine(30_000)));
    await wait(lastsMs / 3);
    await options.strike(clerks);
    await wait(lastsMs / 3);
    for (const child of clerks) child.send('stop');
    await Promise.all(clerks.map((child) => child.exited));
    return summarize(clerks.flatMap(({ lines }) => lines as readonly Line[]));
  } finally {
    await Promise.all(clerks.map((child) => child.kill()));
  }
}

function summarize(lines: readonly Line[]): DrillResult {
  const told = lines.flatMap(({ answers = [] }) =>
    answers.map(([sequence, counterId, , tookMs]) => ({ sequence, counterId, tookMs })),
  );
  const sum = (name: string) => lines.reduce((total, { counts }) => total + (counts?.[name] ?? 0), 0);
  return {
    told,
    failures: lines.flatMap(({ failures = [] }) => failures),
    conflicts: sum('conflicts'),
    fallbacks: sum('fallbacks'),
    retried: sum('retried'),
    slowestMs: told.reduce((slowest, { tookMs }) => Math.max(slowest, tookMs), 0),
  };
}

/** Throws unless nobody was told a number twice, and every number that was told is in the gapless ledger. */
export async function compareWithLedger(pool: Pool, { told }: DrillResult): Promise<{ untold: number }> {
  const texts = told.map(({ counterId, sequence }) => `${counterId}/${sequence}`);
  if (new Set(texts).size !== texts.length) throw new Error('a number was told twice');
  const { rows } = await pool.query<{ place: string }>(
    "SELECT counter_id || '/' || sequence AS place FROM document_numbers",
  );
  const ledger = new Set(rows.map(({ place }) => place));
  const missing = texts.filter((text) => !ledger.has(text));
  if (missing.length > 0) throw new Error(`${missing.length} numbers were told and are not in the ledger: ${missing[0]}`);
  return { untold: ledger.size - texts.length };
}
