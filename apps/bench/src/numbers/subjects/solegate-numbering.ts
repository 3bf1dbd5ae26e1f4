import {
  type ChainScope,
  createNumbering,
  type IssueRequest,
  type Numbering,
  type WriteDocuments,
} from '@solegate/doc-numbering';
import { connectRedis } from '@solegate/redis-infra';
import type { Call } from '../../measuring/load.js';
import { openPool } from '../../running/database-pool.js';
import { forgetfulPool } from '../../running/forgetful-pool.js';
import type { OpenSubject, SubjectSetup, SubjectTable } from '../../workers/subject.js';
import { numberingSubject, poolerUrl } from './numbers-request.js';

/** The number space and the series of the bench. */
export const BENCH_SPACE = 'BENCH';
export const BENCH_SERIES = 'RFA';
/** Every run falls into one period, whatever day it is. */
export const BENCH_DATE = '2026-06-15';

interface Opened {
  readonly numbering: Numbering;
  close(): Promise<void>;
}

/** Whether Redis is used, and when its locks are acquired first. */
type RedisUse = 'none' | 'crowd' | 'always';

export function openNumbering(
  setup: SubjectSetup,
  use: RedisUse,
  { namedStatements = true, databaseUrl = setup.databaseUrl } = {},
): Opened {
  const connectionMax = Math.max(4, setup.poolSize);
  const pool = openPool(databaseUrl, connectionMax);
  const connect = () => connectRedis({ url: setup.redisUrl, purpose: 'decision' });
  const locks = use === 'none' ? undefined : { redis: connect(), lock: use };
  const numbering = createNumbering({
    database: setup.sabotaged ? forgetfulPool(pool) : pool,
    connectionMax,
    namedStatements,
    ...locks,
  });
  return {
    numbering,
    close: async () => {
      await numbering.close();
      locks?.redis.disconnect();
      await pool.end();
    },
  };
}

/** One number per request, in commits shared by concurrent callers. */
function openIssuing(use: RedisUse, { isPooled = false } = {}): OpenSubject {
  return async (setup) => {
    const through = isPooled ? { namedStatements: false, databaseUrl: poolerUrl(setup) } : {};
    const { numbering, close } = openNumbering(setup, use, through);
    const next = async (code: string) => (await numbering.issue(requestFor(code))).sequence;
    return numberingSubject(setup, { next, close });
  };
}

/**
 * Document and number in one commit, through a writer; with `isMixed`, every second caller takes a bare number; with
 * `isChained`, the documents of a counter are sealed.
 */
function openWriting(use: RedisUse, { isMixed = false, isChained = false } = {}): OpenSubject {
  return async (setup) => {
    const { numbering, close } = openNumbering(setup, use);
    const chain = { name: chainOf, seal: 'sha256' as const };
    const write: WriteDocuments<BenchDocument> = async (session, items) => {
      await session.query({
        name: 'bench-documents',
        text: `INSERT INTO baseline_documents (number, subject)
             SELECT * FROM unnest($1::text[], $2::text[])`,
        values: [
          items.map(({ issued: { number } }) => number),
          items.map(({ document }) => document.subject),
        ],
      });
    };
    const writer = numbering.registerWriter('bench', write, isChained ? { chain } : {});
    const document = { subject: 'Request for approval' };
    const next = async (code: string, { caller }: Call) => {
      const request = requestFor(code);
      const isBare = isMixed && caller % 2 === 1;
      return (await (isBare ? numbering.issue(request) : writer.issue(request, document))).sequence;
    };
    return numberingSubject(setup, { next, close });
  };
}

export const solegateNumbering = {
  solegate: openIssuing('crowd'),
  'solegate without Redis': openIssuing('none'),
  'solegate, lock always': openIssuing('always'),
  'solegate writer': openWriting('crowd'),
  'solegate writer without Redis': openWriting('none'),
  'solegate writer, chained': openWriting('crowd', { isChained: true }),
  'solegate, mixed callers': openWriting('crowd', { isMixed: true }),
  'solegate through PgBouncer': openIssuing('crowd', { isPooled: true }),
} satisfies SubjectTable;

interface BenchDocument {
  readonly subject: string;
}

const chainOf = ({ issued }: ChainScope<BenchDocument>): string => `chain ${issued.dimensions.DISCIPLINE}`;

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
