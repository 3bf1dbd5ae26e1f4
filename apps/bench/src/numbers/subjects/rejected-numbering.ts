import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { inTransaction, openPool } from '../../running/database-pool.js';
import type { OpenSubject, SubjectSetup, SubjectTable } from '../../workers/subject.js';
import { numberingSubject, poolerUrl } from './numbers-request.js';

/**
 * The options that the design considered and rejected, each as its advocates would write it: prepared statements, one
 * round trip where one is enough, and a ledger row with every number, since an unrecorded number is not a document
 * number.
 */
type DrawNumber = (
  stores: { readonly pool: pg.Pool; readonly redis: Redis },
  code: string,
) => Promise<number>;

function openWith(
  draw: DrawNumber,
  urlOf: (setup: SubjectSetup) => string = (setup) => setup.databaseUrl,
): OpenSubject {
  return async (setup) => {
    const pool = openPool(urlOf(setup), setup.poolSize);
    const redis = new Redis(setup.redisUrl);
    return numberingSubject(setup, {
      next: (code) => draw({ pool, redis }, code),
      close: async () => {
        redis.disconnect();
        await pool.end();
      },
    });
  };
}

/** Raise the counter and write the ledger row in one statement; callers of one counter queue on its row. */
const UPSERT_WITH_LEDGER = `
  WITH raised AS (
    INSERT INTO baseline_counters AS counter (code, last_number) VALUES ($1, 1)
    ON CONFLICT (code) DO UPDATE SET last_number = counter.last_number + 1, version = counter.version + 1
    RETURNING last_number
  )
  INSERT INTO baseline_ledger (code, sequence, number)
  SELECT $1, last_number, 'TEAM-RFA-' || $1 || '-2026-' || lpad(last_number::text, 6, '0') FROM raised
  RETURNING sequence`;

async function upsert(session: pg.Pool | pg.PoolClient, code: string, name?: string): Promise<number> {
  const { rows } = await session.query<{ sequence: string }>({
    ...(name === undefined ? {} : { name }),
    text: UPSERT_WITH_LEDGER,
    values: [code],
  });
  return Number(rows[0]?.sequence);
}

async function recordNumber(session: pg.Pool | pg.PoolClient, code: string, sequence: number): Promise<void> {
  await session.query({
    name: 'record',
    text: 'INSERT INTO baseline_ledger (code, sequence, number) VALUES ($1, $2, $3)',
    values: [code, sequence, `TEAM-RFA-${code}-2026-${String(sequence).padStart(6, '0')}`],
  });
}

export const rejectedNumbering = {
  'upsert + ledger': openWith(({ pool }, code) => upsert(pool, code, 'upsert')),
  'upsert + ledger through PgBouncer': openWith(({ pool }, code) => upsert(pool, code), poolerUrl),

  /** The textbook transaction: lock the row, raise it, record it, commit. */
  'FOR UPDATE': openWith(({ pool }, code) =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ last_number: string }>({
        name: 'row-lock-read',
        text: 'SELECT last_number FROM baseline_counters WHERE code = $1 FOR UPDATE',
        values: [code],
      });
      const next = Number(rows[0]?.last_number) + 1;
      await client.query({
        name: 'row-lock-raise',
        text: 'UPDATE baseline_counters SET last_number = $2, version = version + 1 WHERE code = $1',
        values: [code, next],
      });
      await recordNumber(client, code, next);
      return next;
    }),
  ),

  /** Compare the version and fail, then pause and retry: the second lock of the original design without the first. */
  'version only': openWith(async ({ pool }, code) => {
    for (const pauseMs of [200, 400, 800, undefined]) {
      const { rows } = await pool.query<{ last_number: string; version: string }>({
        name: 'version-read',
        text: 'SELECT last_number, version FROM baseline_counters WHERE code = $1',
        values: [code],
      });
      const next = Number(rows[0]?.last_number) + 1;
      const { rowCount } = await pool.query({
        name: 'version-raise',
        text: `WITH raised AS (
               UPDATE baseline_counters SET last_number = $2, version = version + 1
               WHERE code = $1 AND version = $3 RETURNING last_number
             )
             INSERT INTO baseline_ledger (code, sequence, number)
             SELECT $1, last_number, 'TEAM-RFA-' || $1 || '-2026-' || lpad(last_number::text, 6, '0') FROM raised`,
        values: [code, next, rows[0]?.version],
      });
      if (rowCount === 1) return next;
      if (pauseMs !== undefined) await delay(pauseMs);
    }
    throw new Error('the counter moved at every try');
  }),

  /** A PostgreSQL sequence for each counter: fast, but every rollback leaves a permanent hole. */
  'nextval + ledger': openWith(async ({ pool }, code) => {
    const { rows } = await pool.query<{ sequence: string }>({
      name: 'nextval',
      text: `INSERT INTO baseline_ledger (code, sequence, number)
           SELECT $1, value, 'TEAM-RFA-' || $1 || '-2026-' || lpad(value::text, 6, '0')
           FROM nextval($2::regclass) AS value RETURNING sequence`,
      values: [code, `baseline_${code.toLowerCase()}`],
    });
    return Number(rows[0]?.sequence);
  }),

  /** A Redis counter: fast, but numbers that Redis forgets are issued again. */
  'INCR + ledger': openWith(async ({ pool, redis }, code) => {
    const next = await redis.incr(`baseline:${code}`);
    await recordNumber(pool, code, next);
    return next;
  }),

  /** A document with its number, in one transaction per document: the way without a writer. */
  'transaction a document': openWith(({ pool }, code) =>
    inTransaction(pool, async (client) => {
      const sequence = await upsert(client, code, 'upsert');
      await client.query({
        name: 'document',
        text: 'INSERT INTO baseline_documents (number, subject) VALUES ($1, $2)',
        values: [`${code}-${sequence}`, 'Request for approval'],
      });
      return sequence;
    }),
  ),
} satisfies SubjectTable;
