import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import Redlock from 'redlock';
import type { OpenSubject, SubjectSetup } from '../../workers/subject.js';
import { numberingSubject } from './numbers-request.js';
import { type OriginalTables, originalTables, originalTablesThroughTypeorm } from './original-tables.js';

/** Another process moved the counter between the read and the update; the original design retries. */
class VersionConflictError extends Error {
  readonly code = 'VERSION_CONFLICT';

  constructor() {
    super('the counter moved between read and update');
    this.name = 'VersionConflictError';
  }
}

/** Pauses between retries after a version conflict, as in the original design. */
const CONFLICT_PAUSES_MS = [200, 400, 800];
const LOCK_TTL_MS = 3000;

/** The algorithm, with its own connections. */
export interface OriginalNumbers {
  next(code: string): Promise<number>;
  close(): Promise<void>;
}

type Stores = Pick<SubjectSetup, 'databaseUrl' | 'redisUrl' | 'poolSize'>;

/**
 * The original design of document numbering, reproduced exactly. Under redlock with its defaults (10 tries, 200 ms
 * apart) it reads the counter, raises it if the version is unchanged, reads the format and three codes, and replaces
 * tokens. The lock is released before the caller is answered; after a version conflict the whole is repeated up to
 * three times. It writes no ledger row. Counters must exist, since its own creation of the first one fails.
 *
 * @param open opens its tables through `pg` (default), which avoids the cost of TypeORM, or through TypeORM
 */
export async function openOriginalNumbers(
  { databaseUrl, redisUrl, poolSize }: Stores,
  open: (databaseUrl: string, poolSize: number) => Promise<OriginalTables> = originalTables,
): Promise<OriginalNumbers> {
  const tables = await open(databaseUrl, poolSize);
  const redis = new Redis(redisUrl);
  // Every failing call reports it; without a listener, ioredis also prints each lost connection.
  redis.on('error', () => undefined);
  const redlock = new Redlock([redis]);
  redlock.on('error', () => undefined);
  return {
    next: (code) => nextNumber(tables, redlock, code),
    close: async () => {
      redis.disconnect();
      await tables.close();
    },
  };
}

function openNumbering(open: typeof originalTables): OpenSubject {
  return async (setup) => numberingSubject(setup, await openOriginalNumbers(setup, open));
}

export const openOriginalNumbering = openNumbering(originalTables);
export const openOriginalNumberingThroughTypeorm = openNumbering(originalTablesThroughTypeorm);

async function nextNumber(tables: OriginalTables, redlock: Redlock, code: string): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await numberUnderLock(tables, redlock, code);
    } catch (error) {
      const pauseMs = CONFLICT_PAUSES_MS[attempt];
      if (!(error instanceof VersionConflictError) || pauseMs === undefined) throw error;
      await delay(pauseMs);
    }
  }
}

async function numberUnderLock(tables: OriginalTables, redlock: Redlock, code: string): Promise<number> {
  const lock = await redlock.acquire([`doc_num:${code}`], LOCK_TTL_MS);
  try {
    const counter = await tables.readCounter(code);
    if (counter === undefined) throw new Error(`no counter ${code}`);
    const next = Number(counter.last_number) + 1;
    if (!(await tables.raiseCounter(code, { next, version: counter.version }))) {
      throw new VersionConflictError();
    }
    await render(tables, next);
    return next;
  } finally {
    await redlock.release(lock);
  }
}

/** Four queries inside the lock, after the counter has moved. */
async function render(tables: OriginalTables, sequence: number): Promise<string> {
  const template = (await tables.readTemplate('RFA')) ?? '';
  const codeOf = async (kind: string): Promise<string> => (await tables.readCode(kind, 1)) ?? 'GEN';
  return template
    .replace('{ORG_CODE}', await codeOf('organization'))
    .replace('{TYPE_CODE}', await codeOf('type'))
    .replace('{DISCIPLINE_CODE}', await codeOf('discipline'))
    .replace('{YEAR}', String(new Date().getFullYear()))
    .replace('{SEQ:4}', String(sequence).padStart(4, '0'));
}
