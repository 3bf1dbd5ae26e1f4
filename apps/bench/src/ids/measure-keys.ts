import { randomUUID } from 'node:crypto';
import { createTsidGenerator } from '@solegate/tsid-core';
import pg from 'pg';
import { v7 } from 'uuid';
import type { Experiment, Metrics, SubjectRole, Verdict } from '../measuring/result.js';
import { median } from '../measuring/statistics.js';
import { Tally } from '../measuring/tally.js';
import type { ScenarioContext } from '../running/scenario.js';

/** A kind of primary key, of parents with children whose reference to their parent is indexed. */
interface KeyKind {
  readonly subject: string;
  readonly role: SubjectRole;
  readonly type: string;
  readonly make: () => string;
}

const PER_STATEMENT = 20_000;
const LOOKUP_COUNT = 20_000;
/** The median counts, since one join takes no longer than a pause of a busy machine. */
const JOIN_COUNT = 9;

function keyKinds(): readonly KeyKind[] {
  const ids = createTsidGenerator({ node: 1, namespace: 'bench:keys' });
  return [
    { subject: 'solegate TSID, bigint', role: 'solegate', type: 'bigint', make: () => ids.nextString() },
    { subject: 'UUIDv7', role: 'peer', type: 'uuid', make: () => v7() },
    { subject: 'random UUID', role: 'peer', type: 'uuid', make: randomUUID },
    { subject: 'random UUID, varchar(36)', role: 'peer', type: 'varchar(36)', make: randomUUID },
  ];
}

/** What a key costs in PostgreSQL: to insert, to join by index, and in the size of its index. */
export async function measureKeys({
  settings,
  stores,
  progress,
  dice,
}: ScenarioContext): Promise<Experiment> {
  const rowCount = settings.quick ? 20_000 : 200_000;
  const kinds = keyKinds();
  const sides = kinds.map((kind) => ({ kind, tally: new Tally(kind.subject, kind.role) }));
  const client = new pg.Client(await stores.createDatabase('bench_keys'));
  await client.connect();
  progress.begin('keys in PostgreSQL', kinds.length * settings.repeatCount);
  try {
    for (let repeat = 0; repeat < settings.repeatCount; repeat += 1) {
      for (const { kind, tally } of dice.sample(sides, sides.length)) {
        progress.step(kind.subject);
        const { metrics, verdict } = await measureOnce(client, kind, rowCount);
        tally.repeats.push(metrics);
        tally.verified(verdict);
      }
    }
  } finally {
    await client.end();
  }
  progress.end();
  return {
    id: 'ids.keys',
    scenario: 'ids',
    title: `a key of ${rowCount.toLocaleString('en-US')} parents and children in PostgreSQL`,
    parallel: 1,
    processes: 1,
    lead: { metric: 'insertsPerSecond', unit: 'parents inserted/s', better: 'more' },
    measurements: sides.map(({ tally }) => tally),
  };
}

async function measureOnce(
  client: pg.Client,
  { type, make }: KeyKind,
  rowCount: number,
): Promise<{ readonly metrics: Metrics; readonly verdict: Verdict }> {
  await client.query(`DROP TABLE IF EXISTS child, parent;
    CREATE TABLE parent (id ${type} PRIMARY KEY, note text);
    CREATE TABLE child (id ${type} PRIMARY KEY, parent ${type});
    CREATE INDEX ON child (parent)`);
  const keys = Array.from({ length: rowCount }, () => make());
  const timed = async (text: string, ...values: readonly string[][]): Promise<number> => {
    const startedMs = performance.now();
    await client.query(text, [...values]);
    return performance.now() - startedMs;
  };
  let parentsMs = 0;
  let childrenMs = 0;
  for (let from = 0; from < rowCount; from += PER_STATEMENT) {
    const part = keys.slice(from, from + PER_STATEMENT);
    parentsMs += await timed(`INSERT INTO parent SELECT id, 'note' FROM unnest($1::${type}[]) id`, part);
    const children = part.map(() => make());
    const insert = `INSERT INTO child SELECT * FROM unnest($1::${type}[], $2::${type}[])`;
    childrenMs += await timed(insert, children, part);
  }
  await client.query('VACUUM ANALYZE parent, child');
  await client.query('SET enable_hashjoin = off; SET enable_mergejoin = off');
  const step = 7_919;
  const wanted = Array.from(
    { length: LOOKUP_COUNT },
    (_, index) => keys[(index * step) % rowCount] as string,
  );
  const join = `SELECT count(*)::int AS found FROM unnest($1::${type}[]) wanted (id)
    JOIN parent USING (id) JOIN child ON child.parent = parent.id`;
  const { rows: warm } = await client.query<{ found: number }>(join, [wanted]);
  const joinsMs: number[] = [];
  for (let turn = 0; turn < JOIN_COUNT; turn += 1) joinsMs.push(await timed(join, wanted));
  const { rows } = await client.query<{ parents: number; children: number; bytes: string }>(`
    SELECT (SELECT count(*)::int FROM parent) AS parents, (SELECT count(*)::int FROM child) AS children,
      pg_relation_size('parent_pkey') AS bytes`);
  const { parents = 0, children = 0, bytes = '1' } = rows[0] ?? {};
  const found = warm[0]?.found;
  const isWhole = parents === rowCount && children === rowCount && found === LOOKUP_COUNT;
  const witness = `${parents} parents and ${children} children of ${rowCount}, ${found} of ${LOOKUP_COUNT} joined`;
  return {
    metrics: {
      insertsPerSecond: (rowCount * 1000) / parentsMs,
      childInsertsPerSecond: (rowCount * 1000) / childrenMs,
      joinsPerSecond: (LOOKUP_COUNT * 1000) / median(joinsMs),
      keysPerMegabyte: (rowCount * 1_048_576) / Number(bytes),
    },
    verdict: {
      violations: isWhole ? [] : [{ rule: 'answer = stored', witness }],
      verifiedCount: 2 * rowCount,
    },
  };
}
