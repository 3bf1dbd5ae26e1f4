import { createInterface } from 'node:readline';
import { connectRedis } from '@solegate/redis-infra';
import pg from 'pg';
import { createNumbering, type SqlSession, type WriterItem } from '../src/index.js';

/**
 * A process that issues numbers. On stdin, a line `{ databaseUrl, redisUrl, lock, callers, counters, keyPrefix, … }` starts a
 * run, and the next line ends it. It writes `ready` when the process and when a run starts,
 * `{ answers: [[sequence, counter, ms], …] }` during a run, and `{ failures, counts }` at its end.
 */

interface Run {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  readonly lock: 'crowd' | 'always' | 'never';
  readonly callers: number;
  readonly counters: number;
  readonly namedStatements?: boolean;
  readonly requestTimeoutMs?: number;
  readonly keyPrefix?: string;
  /** Number of concurrent requests per key. Default: 1. */
  readonly repeats?: number;
  /** Number of requests per caller. Default: until the run is ended. */
  readonly rounds?: number;
  /** Start of the run's clock, in epoch milliseconds. Default: now. */
  readonly startMs?: number;
  /** Issue through a writer that stores each number and its seal of this chain in the table letters. */
  readonly chain?: string;
}

const say = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

const bangkokYear = (ms: number): string => new Date(ms + 7 * 3_600_000).toISOString().slice(0, 4);

const chained = (chain: string) => ({ chain: { name: () => chain, seal: 'sha256' as const } });

async function storeLetters(session: SqlSession, items: readonly WriterItem<undefined>[]): Promise<void> {
  await session.query({
    text: 'INSERT INTO letters SELECT * FROM unnest($1::text[], $2::text[])',
    values: [items.map(({ issued }) => issued.number), items.map(({ seal }) => seal?.seal)],
  });
}

async function issueUntil(run: Run, hasEnded: () => boolean): Promise<void> {
  const pool = new pg.Pool({ connectionString: run.databaseUrl, max: 10 });
  pool.on('error', () => undefined);
  const redis = run.redisUrl ? connectRedis({ url: run.redisUrl, purpose: 'decision' }) : undefined;
  const offsetMs = run.startMs === undefined ? 0 : run.startMs - Date.now();
  const now = (): number => Date.now() + offsetMs;
  const counts = { conflicts: 0, fallbacks: 0, held: 0, retried: 0 };
  const numbering = createNumbering({
    database: pool,
    ...(redis ? { redis } : {}),
    lock: run.lock,
    namedStatements: run.namedStatements ?? true,
    ...(run.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: run.requestTimeoutMs }),
    now,
    observer: {
      versionConflicted: () => {
        counts.conflicts += 1;
      },
      fellBack: () => {
        counts.fallbacks += 1;
      },
      lockWaited: ({ outcome }) => {
        if (outcome === 'HELD') counts.held += 1;
      },
      storeRetried: () => {
        counts.retried += 1;
      },
    },
  });
  const { chain } = run;
  const letters =
    chain === undefined ? undefined : numbering.registerWriter('letters', storeLetters, chained(chain));
  const failures: string[] = [];
  let answers: unknown[] = [];
  const flush = (): void => {
    if (answers.length > 0) say({ answers });
    answers = [];
  };

  async function caller(index: number): Promise<void> {
    for (let round = 0; !hasEnded() && round < (run.rounds ?? Number.POSITIVE_INFINITY); round += 1) {
      const startedMs = performance.now();
      const yearBefore = bangkokYear(now());
      const request = {
        space: 'P1',
        series: 'RFA',
        dimensions: { ORG: `O${(index + round) % run.counters}`, DISCIPLINE: 'STR' },
        actor: 'clerk',
        ...(run.keyPrefix === undefined ? {} : { key: `${run.keyPrefix}-${index}-${round}` }),
      };
      const asked = Array.from({ length: run.repeats ?? 1 }, () =>
        letters ? letters.issue(request, undefined) : numbering.issue(request),
      );
      for (const outcome of await Promise.allSettled(asked)) {
        if (outcome.status === 'rejected') failures.push(String(outcome.reason));
        else {
          const tookMs = Math.round(performance.now() - startedMs);
          if (outcome.value.period < yearBefore || outcome.value.period > bangkokYear(now())) {
            failures.push(`${outcome.value.number} between ${yearBefore} and ${bangkokYear(now())}`);
          }
          answers.push([outcome.value.sequence, outcome.value.counterId, tookMs]);
        }
      }
    }
  }

  const flushing = setInterval(flush, 20);
  await Promise.all(Array.from({ length: run.callers }, (_, index) => caller(index)));
  clearInterval(flushing);
  flush();
  await numbering.close();
  redis?.disconnect();
  await pool.end();
  say({ failures, counts });
}

let hasEnded = true;
for await (const line of createInterface({ input: process.stdin })) {
  const said: unknown = JSON.parse(line);
  if (said === 'stop') {
    hasEnded = true;
    continue;
  }
  hasEnded = false;
  say('ready');
  void issueUntil(said as Run, () => hasEnded);
}
