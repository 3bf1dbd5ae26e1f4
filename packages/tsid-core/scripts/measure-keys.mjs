/*
 * What a key costs in PostgreSQL: a TSID as BIGINT against random and time-sorted UUIDs, each as parents with indexed
 * children. Interleaved rounds, medians, relative to the TSID. Needs DATABASE_URL, uses a schema of its own and drops it.
 *
 * npm run measure-keys -- [rows, default 200000]
 */
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { createTsidGenerator, toUuidV7 } from '../src/index.ts';

const ROWS = Number(process.argv[2] ?? 200_000);
const PER_STATEMENT = 20_000;
const ROUNDS = 3;
const LOOKUPS = 20_000;
const ids = createTsidGenerator({ node: 1 });

/** As a library makes them: a time and 74 random bits. */
function uuidV7() {
  const time = Date.now().toString(16).padStart(12, '0');
  const rest = randomBytes(10).toString('hex');
  const variant = (8 + (Number.parseInt(rest[3], 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${variant}${rest.slice(4, 7)}-${rest.slice(7, 19)}`;
}

const KINDS = {
  'TSID as bigint': { type: 'bigint', make: () => ids.nextString() },
  'TSID as uuid (toUuidV7)': { type: 'uuid', make: () => toUuidV7(ids.next()) },
  'UUIDv7 as uuid': { type: 'uuid', make: uuidV7 },
  'UUIDv4 as uuid': { type: 'uuid', make: () => randomUUID() },
  'UUIDv4 as varchar(36)': { type: 'varchar(36)', make: () => randomUUID() },
};

const client = new pg.Client(process.env.DATABASE_URL);
await client.connect();
await client.query('DROP SCHEMA IF EXISTS measured_keys CASCADE');
await client.query('CREATE SCHEMA measured_keys');
await client.query('SET search_path TO measured_keys');
await client.query('SET enable_hashjoin = off; SET enable_mergejoin = off');

async function timed(sql, values) {
  const startMs = performance.now();
  await client.query(sql, values);
  return performance.now() - startMs;
}

async function round({ type, make }) {
  await client.query('DROP TABLE IF EXISTS child, parent');
  await client.query(`CREATE TABLE parent (id ${type} PRIMARY KEY, note text)`);
  await client.query(`CREATE TABLE child (id ${type} PRIMARY KEY, parent ${type})`);
  await client.query('CREATE INDEX ON child (parent)');
  const keys = Array.from({ length: ROWS }, make);
  let insert = 0;
  let insertChildren = 0;
  for (let from = 0; from < ROWS; from += PER_STATEMENT) {
    const part = keys.slice(from, from + PER_STATEMENT);
    insert += await timed(`INSERT INTO parent SELECT id, 'note' FROM unnest($1::${type}[]) id`, [part]);
    const children = part.map(make);
    insertChildren += await timed(`INSERT INTO child SELECT * FROM unnest($1::${type}[], $2::${type}[])`, [
      children,
      part,
    ]);
  }
  await client.query('VACUUM ANALYZE parent, child');
  const wanted = Array.from({ length: LOOKUPS }, () => keys[Math.floor(Math.random() * ROWS)]);
  const join = `SELECT count(*) FROM unnest($1::${type}[]) wanted(id) JOIN parent USING (id) JOIN child ON child.parent = parent.id`;
  await client.query(join, [wanted]);
  const joined = await timed(join, [wanted]);
  const { rows } = await client.query("SELECT pg_relation_size('parent_pkey') AS size");
  return {
    insert,
    'insert with an index on the parent': insertChildren,
    'join by index': joined,
    'size of the key index': Number(rows[0].size),
  };
}

const rounds = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
for (let turn = 0; turn < ROUNDS; turn++) {
  for (const [kind, of] of Object.entries(KINDS)) rounds[kind].push(await round(of));
}
await client.query('DROP SCHEMA measured_keys CASCADE');
await client.end();

const median = (kind, figure) =>
  rounds[kind].map((each) => each[figure]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
const [first] = Object.keys(KINDS);
const figures = Object.keys(rounds[first][0]);
const table = Object.fromEntries(
  Object.keys(KINDS).map((kind) => [
    kind,
    Object.fromEntries(
      figures.map((figure) => [figure, (median(kind, figure) / median(first, figure)).toFixed(2)]),
    ),
  ]),
);
console.table(table);
