import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type pg from 'pg';
import Redlock from 'redlock';
import { seededRandom } from '../measuring/seeded-random.js';
import { openPool } from '../running/database-pool.js';
import type { Subject, SubjectSetup } from '../workers/subject.js';
import { issued, type NumbersRun, numbersRun, pickCounter } from './numbers-request.js';

/** Another process moved the counter between the read and the update; the seed tries again. */
class VersionConflictError extends Error {
  readonly code = 'VERSION_CONFLICT';

  constructor() {
    super('the counter moved between read and update');
    this.name = 'VersionConflictError';
  }
}

/** Pauses between the tries after a version conflict, as the seed states them. */
const CONFLICT_PAUSES_MS = [200, 400, 800];
const LOCK_TTL_MS = 3000;

/** The algorithm with its own connections. */
export interface SeedNumbers {
  next(code: string): Promise<number>;
  close(): Promise<void>;
}

/**
 * The first design of document numbering, to the letter: redlock with its defaults (10 tries, 200 ms apart) around
 * read counter, raise it if the version is still the same, read the format, read three codes, replace tokens; the lock
 * is released before the caller is answered; after a version conflict the whole is repeated up to three times. It
 * writes no ledger row. Counters exist beforehand, since its own creation of the first one fails. Statements are not
 * prepared, because TypeORM, which it goes through, prepares none; what TypeORM itself costs is spared it.
 */
export function openSeedNumbers(
  stores: Pick<SubjectSetup, 'databaseUrl' | 'redisUrl' | 'poolSize'>,
): SeedNumbers {
  const pool = openPool(stores.databaseUrl, stores.poolSize);
  const redis = new Redis(stores.redisUrl);
  // Told by every call that fails; without a listener ioredis prints each lost connection as well.
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

export async function openSeedNumbering(setup: SubjectSetup): Promise<Subject> {
  const numbers = openSeedNumbers(setup);
  const random = seededRandom(setup.seed + setup.worker);
  let run: NumbersRun = { run: 0, counterCount: 1 };
  return {
    prepare: async (_round, facts) => {
      run = numbersRun(facts);
    },
    request: async () => {
      const code = pickCounter(run, random);
      return issued(code, await numbers.next(code));
    },
    close: () => numbers.close(),
  };
}

async function nextNumber(pool: pg.Pool, redlock: Redlock, code: string): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await numberUnderLock(pool, redlock, code);
    } catch (error) {
      const pauseMs = CONFLICT_PAUSES_MS[attempt];
      if (!(error instanceof VersionConflictError) || pauseMs === undefined) throw error;
      await delay(pauseMs);
    }
  }
}

async function numberUnderLock(pool: pg.Pool, redlock: Redlock, code: string): Promise<number> {
  const lock = await redlock.acquire([`doc_num:${code}`], LOCK_TTL_MS);
  try {
    const { rows } = await pool.query<{ last_number: string; version: string }>({
      text: 'SELECT last_number, version FROM baseline_counters WHERE code = $1',
      values: [code],
    });
    const [counter] = rows;
    if (counter === undefined) throw new Error(`no counter ${code}`);
    const next = Number(counter.last_number) + 1;
    const { rowCount } = await pool.query({
      text: `UPDATE baseline_counters SET last_number = $1, version = version + 1, updated_at = now()
             WHERE code = $2 AND version = $3`,
      values: [next, code, counter.version],
    });
    if (rowCount === 0) throw new VersionConflictError();
    await render(pool, next);
    return next;
  } finally {
    await redlock.release(lock);
  }
}

/** Four queries inside the lock, after the counter has moved. */
async function render(pool: pg.Pool, sequence: number): Promise<string> {
  const { rows } = await pool.query<{ template: string }>({
    text: 'SELECT template FROM baseline_formats WHERE code = $1',
    values: ['RFA'],
  });
  const codeOf = async (kind: string): Promise<string> => {
    const found = await pool.query<{ code: string }>({
      text: 'SELECT code FROM baseline_codes WHERE kind = $1 AND id = $2',
      values: [kind, 1],
    });
    return found.rows[0]?.code ?? 'GEN';
  };
  return (rows[0]?.template ?? '')
    .replace('{ORG_CODE}', await codeOf('organization'))
    .replace('{TYPE_CODE}', await codeOf('type'))
    .replace('{DISCIPLINE_CODE}', await codeOf('discipline'))
    .replace('{YEAR}', String(new Date().getFullYear()))
    .replace('{SEQ:4}', String(sequence).padStart(4, '0'));
}
