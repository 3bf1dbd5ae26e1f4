import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createNumbering, type NumberingOptions, type SqlTransaction } from '../src/index.js';

/** Whatever is sent fails: nothing listens there. */
const pool = new pg.Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 1 });
const database = pool;
const numbering = createNumbering({ database });
const request = { space: 'P1', series: 'RFA', actor: 'test' };
afterAll(async () => {
  await numbering.close();
  await pool.end();
});

const nodeRedis = { evalSha: () => undefined, isOpen: true };

test.each<[string, object, string, RegExp]>([
  ['no database', {}, 'database', /undefined; pass a Pool of pg/],
  [
    'a URL as database',
    { database: 'postgres://host' },
    'database',
    /pass new Pool\(\{ connectionString \}\)/,
  ],
  ['one client as database', { database: new pg.Client() }, 'database', /pass new Pool/],
  ['another object as database', { database: {} }, 'database', /pass a Pool of pg/],
  [
    'a misspelled option',
    { database, requestTimeoutMS: 5 },
    'requestTimeoutMS',
    /nearest is requestTimeoutMs/,
  ],
  ['node-redis', { database, redis: nodeRedis }, 'redis', /a client of node-redis; pass connectRedis/],
  ['an object around Redis', { database, redis: { decision: {} } }, 'redis', /an object with decision; pass/],
])('%s is refused when the numbering is created, with what to pass', (_, options, field, text) => {
  const create = () => createNumbering(options as NumberingOptions);
  expect(create).toThrow(text);
  expect(create).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', field, retryable: false }));
});

test.each<[string, unknown, RegExp]>([
  ['nothing', undefined, /is undefined; pass a transaction of/],
  ['an empty object', {}, /query\(\{ text, values \}\)/],
  ['a pool', pool, /pool.connect\(\)/],
  ['a client of Prisma', { $queryRawUnsafe: () => [], $connect: () => [] }, /prisma.\$transaction\(\(tx\)/],
])('%s as a session is refused before anything is sent', async (_, session, text) => {
  const wrong = session as SqlTransaction;
  const refusal = { code: 'INVALID_REQUEST', field: 'session', retryable: false };
  await expect(numbering.issueIn(wrong, request)).rejects.toMatchObject(refusal);
  await expect(numbering.issueAllIn(wrong, [request])).rejects.toThrow(text);
});

test('a numbering closes at the end of its block', async () => {
  const block = async () => {
    await using own = createNumbering({ database });
    return own;
  };
  await expect((await block()).issue(request)).rejects.toMatchObject({ code: 'NUMBERING_CLOSED' });
});

test("a mistake in a session's own code is thrown as it is", async () => {
  const mistaken = {
    query: () => {
      throw new TypeError('connection.execute is not a function');
    },
  };
  await expect(numbering.issueIn(mistaken, request)).rejects.toThrow(TypeError);
});
