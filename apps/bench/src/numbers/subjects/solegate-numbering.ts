import { createNumbering, type IssueRequest, type Numbering } from '@solegate/doc-numbering';
import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import type pg from 'pg';
import { openPool } from '../../running/database-pool.js';
import { forgetfulPool } from '../../running/forgetful-pool.js';
import type { OpenSubject, SubjectSetup } from '../../workers/subject.js';
import { numberingSubject } from './numbers-request.js';

/** The number space and the series of the bench. */
export const BENCH_SPACE = 'BENCH';
export const BENCH_SERIES = 'RFA';
/** Every run falls into one period, whatever day it is. */
export const BENCH_DATE = '2026-06-15';

interface Opened {
  readonly numbering: Numbering;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** Whether Redis is used, and when its locks are acquired first. */
type RedisUse = 'none' | 'crowd' | 'always';

export function openNumbering(setup: SubjectSetup, use: RedisUse): Opened {
  const connectionMax = Math.max(4, setup.poolSize);
  const pool = openPool(setup.databaseUrl, connectionMax);
  const connections: RedisConnection[] = [];
  const connect = (): RedisConnection => {
    const connection = connectRedis({ url: setup.redisUrl, purpose: 'decision' });
    connections.push(connection);
    return connection;
  };
  const numbering = createNumbering({
    database: setup.sabotaged ? forgetfulPool(pool) : pool,
    connectionMax,
    ...(use === 'none' ? {} : { redis: { decision: connect() }, lock: use }),
  });
  return {
    numbering,
    pool,
    close: async () => {
      await numbering.close();
      for (const connection of connections) connection.disconnect();
      await pool.end();
    },
  };
}

/** One number per request, in commits shared by concurrent callers. */
function openIssuing(use: RedisUse): OpenSubject {
  return async (setup) => {
    const { numbering, close } = openNumbering(setup, use);
    const next = async (code: string) => (await numbering.issue(requestFor(code))).sequence;
    return numberingSubject(setup, { next, close });
  };
}

export const openSolegateNumbering = openIssuing('crowd');
export const openSolegateWithoutRedis = openIssuing('none');
export const openSolegateLockAlways = openIssuing('always');

/** Document and number in one commit, through a writer. */
function openWriting(use: RedisUse): OpenSubject {
  return async (setup) => {
    const { numbering, close } = openNumbering(setup, use);
    const writer = numbering.registerWriter<{ subject: string }>('bench', async (session, items) => {
      await session.query({
        name: 'bench-documents',
        text: `INSERT INTO baseline_documents (number, subject)
             SELECT * FROM unnest($1::text[], $2::text[])`,
        values: [
          items.map(({ issued: { number } }) => number),
          items.map(({ document }) => document.subject),
        ],
      });
    });
    const document = { subject: 'Request for approval' };
    const next = async (code: string) => (await writer.issue(requestFor(code), document)).sequence;
    return numberingSubject(setup, { next, close });
  };
}

export const openSolegateWriter = openWriting('crowd');
export const openSolegateWriterWithoutRedis = openWriting('none');

export function requestFor(discipline: string): IssueRequest {
  return {
    space: BENCH_SPACE,
    series: BENCH_SERIES,
    dimensions: { ORG: 'TEAM', DISCIPLINE: discipline },
    date: BENCH_DATE,
    otherPeriod: true,
    actor: 'bench',
  };
}
