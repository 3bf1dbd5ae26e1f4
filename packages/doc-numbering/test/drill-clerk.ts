/**
 * A process that issues numbers until it is told to stop. Arguments: database URL, Redis URL or "-", callers, counters.
 * It writes `ready`, then a line of `[sequence, counter, key, milliseconds]` for each answer, then a summary.
 */
import { connectRedis } from '@solegate/redis-infra';
import pg from 'pg';
import { createNumbering } from '../src/index.js';

const [databaseUrl = '', redisUrl = '-', callers = '25', counters = '1', keyPrefix = ''] = process.argv.slice(2);
const say = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
pool.on('error', () => undefined);
const redis =
  redisUrl === '-'
    ? undefined
    : {
        decision: connectRedis({ url: redisUrl, purpose: 'decision' }),
        subscriber: connectRedis({ url: redisUrl, purpose: 'subscriber' }),
      };
const counts = { conflicts: 0, fallbacks: 0, held: 0, retried: 0 };
const numbering = createNumbering({
  database: pool,
  ...(redis ? { redis } : {}),
  events: {
    versionConflicted: () => {
      counts.conflicts += 1;
    },
    fellBack: () => {
      counts.fallbacks += 1;
    },
    lockWaited: ({ outcome }) => {
      if (outcome === 'held') counts.held += 1;
    },
    storeRetried: () => {
      counts.retried += 1;
    },
  },
});

let isStopping = false;
const failures: string[] = [];
let answers: unknown[] = [];

async function caller(index: number): Promise<void> {
  for (let round = 0; !isStopping; round += 1) {
    const startedMs = performance.now();
    const key = keyPrefix === '' ? undefined : `${keyPrefix}-${index}-${round}`;
    try {
      const issued = await numbering.issue({
        space: 'P1',
        series: 'RFA',
        dimensions: { ORG: `O${(index + round) % Number(counters)}`, DISCIPLINE: 'STR' },
        actor: `clerk ${process.pid}`,
        ...(key === undefined ? {} : { key }),
      });
      answers.push([issued.sequence, issued.counterId, key ?? null, Math.round(performance.now() - startedMs)]);
    } catch (error) {
      failures.push(String(error));
    }
  }
}

const flush = setInterval(() => {
  if (answers.length > 0) say({ answers });
  answers = [];
}, 20);

process.stdin.setEncoding('utf8').on('data', () => {
  isStopping = true;
});
say('ready');
await Promise.all(Array.from({ length: Number(callers) }, (_, index) => caller(index)));
clearInterval(flush);
say({ answers });
say({ failures, counts });
await numbering.close();
redis?.decision.disconnect();
redis?.subscriber.disconnect();
await pool.end();
process.exit(0);
