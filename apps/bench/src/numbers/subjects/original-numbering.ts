import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type pg from 'pg';
import Redlock from 'redlock';
import { openPool } from '../../running/database-pool.js';
import type { SubjectSetup, SubjectTable } from '../../workers/subject.js';
import { numberingSubject } from './numbers-request.js';

/** Pauses between retries after a version conflict, as in the original design. */
const CONFLICT_PAUSES_MS = [200, 400, 800];
const LOCK_TTL_MS = 3000;

/** Its queries, one round trip each. They are not prepared, as with TypeORM, which the original design uses. */
const READ_COUNTER = 'SELECT last_number, version FROM baseline_counters WHERE code = $1';
const RAISE_COUNTER = `UPDATE baseline_counters SET last_number = $1, version = version + 1, updated_at = now()
                       WHERE code = $2 AND version = $3`;
const READ_TEMPLATE = 'SELECT template FROM baseline_formats WHERE code = $1';
const READ_CODE = 'SELECT code FROM baseline_codes WHERE kind = $1 AND id = $2';

/** The algorithm, with its own connections. */
interface OriginalNumbers {
  next(code: string): Promise<number>;
  close(): Promise<void>;
}

/**
 * The original design of document numbering, reproduced exactly, but through `pg`, without the cost of TypeORM. Under
 * redlock with its defaults (10 tries, 200 ms apart) it reads the counter, raises it if the version is unchanged, reads
 * the format and three codes, and replaces tokens. The lock is released before the caller is answered; after a version
 * conflict the whole is repeated up to three times. It writes no ledger row. Counters must exist, since its own creation
 * of the first one fails.
 */
export function openOriginalNumbers({
  databaseUrl,
  redisUrl,
  poolSize,
}: Pick<SubjectSetup, 'databaseUrl' | 'redisUrl' | 'poolSize'>): OriginalNumbers {
  const pool = openPool(databaseUrl, poolSize);
  const redis = new Redis(redisUrl);
  // Every failing call reports it; without a listener, ioredis also prints each lost connection.
  redis.on('error', () => undefined);
  const redlock = new Redlock([redis]);
  redlock.on('error', () => undefined);
  return {
    next: (code) => nextNumber(pool, redlock, code),
    close: async () => {
      redis.disconnect();
      await pool.end();
    },
  };
}

export const originalNumbering = {
  'original design': async (setup) => numberingSubject(setup, openOriginalNumbers(setup)),
} satisfies SubjectTable;

async function nextNumber(pool: pg.Pool, redlock: Redlock, code: string): Promise<number> {
  for (const pauseMs of [...CONFLICT_PAUSES_MS, undefined]) {
    const next = await numberUnderLock(pool, redlock, code);
    if (next !== undefined) return next;
    if (pauseMs !== undefined) await delay(pauseMs);
  }
  const error = new Error('the counter moved between read and update at every try');
  throw Object.assign(error, { code: 'VERSION_CONFLICT' });
}

/** Returns undefined if another process moved the counter between the read and the update. */
async function numberUnderLock(pool: pg.Pool, redlock: Redlock, code: string): Promise<number | undefined> {
  const lock = await redlock.acquire([`doc_num:${code}`], LOCK_TTL_MS);
  try {
    const { rows } = await pool.query<{ last_number: string; version: string }>(READ_COUNTER, [code]);
    const [counter] = rows;
    if (counter === undefined) throw new Error(`no counter ${code}`);
    const next = Number(counter.last_number) + 1;
    const { rowCount } = await pool.query(RAISE_COUNTER, [next, code, counter.version]);
    if (rowCount !== 1) return undefined;
    await render(pool, next);
    return next;
  } finally {
    await redlock.release(lock);
  }
}

/** Four queries inside the lock, after the counter has moved. */
async function render(pool: pg.Pool, sequence: number): Promise<string> {
  const formats = await pool.query<{ template: string }>(READ_TEMPLATE, ['RFA']);
  const codeOf = async (kind: string): Promise<string> => {
    const { rows } = await pool.query<{ code: string }>(READ_CODE, [kind, 1]);
    return rows[0]?.code ?? 'GEN';
  };
  return (formats.rows[0]?.template ?? '')
    .replace('{ORG_CODE}', await codeOf('organization'))
    .replace('{TYPE_CODE}', await codeOf('type'))
    .replace('{DISCIPLINE_CODE}', await codeOf('discipline'))
    .replace('{YEAR}', String(new Date().getFullYear()))
    .replace('{SEQ:4}', String(sequence).padStart(4, '0'));
}
