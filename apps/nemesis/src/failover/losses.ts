import type { Client } from '@solegate/client';
import type { RedisTestServer } from '@solegate/testkit';
import pg from 'pg';
import { answered, type Call } from '../history/history.js';

/** Numbers that callers received but the new primary does not have. */
export interface Loss {
  /** At or below the mark of their counter in Redis: they must not be issued again. */
  readonly marked: readonly string[];
  /** Numbers of the last milliseconds, not yet marked in Redis. */
  readonly unmarked: readonly string[];
}

const SERIES = { projectCode: 'DEMO', organizationCode: 'TEAM', disciplineCode: 'STR' };
const TYPES = ['RFA', 'RFI', 'MEMO'];

/** Compares all answers with the ledger of the new primary, before any gateway has issued a number from it. */
export async function findLoss(
  calls: readonly Call[],
  databaseUrl: string,
  redis: RedisTestServer,
): Promise<Loss> {
  const kept = await readLedger(databaseUrl);
  const marks = await readMarks(redis);
  const issued = answered({ calls }, 'numbers').flatMap(({ answer }) => answer.map(({ number }) => number));
  const lost = [...new Set(issued)].filter((number) => !kept.has(number));
  const isMarked = (number: string): boolean => sequenceOf(number) <= (marks.get(typeOf(number)) ?? 0);
  return { marked: lost.filter(isMarked), unmarked: lost.filter((number) => !isMarked(number)) };
}

/**
 * Declares the numbers up to the mark as lost for every counter that is below its mark; they are recorded as cancelled.
 *
 * @returns the types of these counters
 */
export async function recordLosses(admin: Client): Promise<string[]> {
  const reported: string[] = [];
  for (const typeCode of TYPES) {
    const { findings } = await admin.reconcileDocumentNumbers({ input: { typeCode } });
    for (const { kind, highWaterMark } of findings) {
      if (kind !== 'REGRESSION' || !highWaterMark) continue;
      const input = { ...SERIES, typeCode, upTo: highWaterMark, reason: 'lost in a failover' };
      await admin.skipDocumentNumbers({ input });
      reported.push(typeCode);
    }
  }
  return reported;
}

export function typeOf(number: string): string {
  return TYPES.find((type) => number.includes(`-${type}-`)) ?? '';
}

async function readLedger(connectionString: string): Promise<Set<string>> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ number: string }>('SELECT number FROM document_numbers');
    return new Set(rows.map(({ number }) => number));
  } finally {
    await client.end();
  }
}

/** The highest issued number of each type according to Redis: the marks of @solegate/doc-numbering. */
async function readMarks(redis: RedisTestServer): Promise<Map<string, number>> {
  const client = redis.client();
  const marks = new Map<string, number>();
  for (const key of await client.keys('doc_num:*')) {
    const last = (await client.type(key)) === 'hash' ? await client.hget(key, 'last') : null;
    const type = TYPES.find((code) => key.includes(`:${code}:`));
    if (type !== undefined && last !== null) marks.set(type, Number(last));
  }
  return marks;
}

function sequenceOf(number: string): number {
  return Number(/(\d+)$/.exec(number)?.[1]);
}
