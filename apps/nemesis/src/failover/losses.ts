import type { Client } from '@solegate/client';
import type { RedisTestServer } from '@solegate/testkit';
import pg from 'pg';
import type { Call } from '../history/history.js';

/** What a new primary does not have although it was answered. */
export interface Loss {
  /** Redis remembers that their counters went further: they must not be issued again. */
  readonly marked: readonly string[];
  /** Of the last milliseconds, which Redis had not heard of. */
  readonly unmarked: readonly string[];
}

const SERIES = { projectCode: 'DEMO', organizationCode: 'TEAM', disciplineCode: 'STR' };
const TYPES = ['RFA', 'RFI', 'MEMO'];

/** Compares all answers with the ledger of the new primary, before any gateway has asked it for a number. */
export async function findLoss(
  calls: readonly Call[],
  databaseUrl: string,
  redis: RedisTestServer,
): Promise<Loss> {
  const kept = await readLedger(databaseUrl);
  const marks = await readMarks(redis);
  const lost = calls.flatMap((call) =>
    call.asked === 'number' && call.ending.kind === 'answered' && !kept.has(call.ending.answer)
      ? [call.ending.answer]
      : [],
  );
  const isMarked = (number: string): boolean => sequenceOf(number) <= (marks.get(typeOf(number)) ?? 0);
  return { marked: lost.filter(isMarked), unmarked: lost.filter((number) => !isMarked(number)) };
}

/**
 * Says for every counter that stands below its mark that the numbers up to the mark are lost; they are recorded as cancelled.
 *
 * @returns the types of those counters
 */
export async function recordLosses(admin: Client): Promise<string[]> {
  const reported: string[] = [];
  for (const typeCode of TYPES) {
    const findings = await admin.reconcileDocumentNumbers({ input: { typeCode } });
    for (const { kind, highWaterMark } of findings) {
      if (kind !== 'REGRESSION' || !highWaterMark) continue;
      const input = { ...SERIES, typeCode, upTo: highWaterMark, reason: 'lost in a fail-over' };
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

/** How far Redis remembers that each type was drawn from: the marks of @solegate/doc-numbering. */
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
