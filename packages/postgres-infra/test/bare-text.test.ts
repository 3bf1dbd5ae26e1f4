import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { bareText } from '../src/migrations/bare-text.js';

/** What can stand beside a comment. */
const TOKENS = [
  'word',
  'cost$',
  '$1',
  '42',
  '-',
  '/',
  '*',
  '(',
  ',',
  ';',
  "'it''s -- /* quoted'",
  "E'\\' -- /* escaped'",
  "'a \\'",
  '"a ""b"" -- /*"',
  '$$BEGIN $1$$',
  '$tag$SELECT $$quoted$$$tag$',
  'ชื่อ',
];
const COMMENTS = [
  '-- a line\n',
  '-- don\'t, $$, "\n',
  '/* a block */',
  '/* one /* in */ another */',
  "/* don't **/",
  '/**/',
];

describe('comments', () => {
  test.each(COMMENTS)('count as white space between any two tokens: %j', (comment) => {
    for (const left of TOKENS) {
      for (const right of TOKENS) {
        expect(bareText(`${left} ${comment}${right}`)).toBe(bareText(`${left} ${right}`));
        expect(bareText(`${left}\n\t${comment}\n  ${right}`)).toBe(bareText(`${left} ${right}`));
      }
    }
  });

  test.each(COMMENTS)('are nothing at either end: %j', (comment) => {
    for (const token of TOKENS) expect(bareText(`${comment}${token} ${comment}`)).toBe(token);
  });

  test.each(['-- to the end', '/* never closed', '/* /* once */'])('may end the text: %j', (comment) => {
    expect(bareText(`a ${comment}`)).toBe('a');
  });
});

describe('the body of a function', () => {
  test.each([
    ['$$ -- a\n$$', '$$ -- b\n$$'],
    ['$x$ BEGIN /* a */ RETURN $1; END $x$', '$x$\nBEGIN\n  RETURN $1;\nEND\n$x$'],
    ['$x$ $$ --a\n$$ $x$', '$x$ $$ --b\n$$ $x$'],
  ])('counts without its comments: %j and %j', (one, other) => {
    expect(bareText(one)).toBe(bareText(other));
  });
});

describe('a different text stays different', () => {
  test.each([
    ["'a  b'", "'a b'"],
    ["'--a'", "'--b'"],
    ['"--a"', '"--b"'],
    ["E'\\'--a'", "E'\\'--b'"],
    ["'\\' || '--a'", "'\\' || '--b'"],
    ['$$ a $$', '$$ b $$'],
    ["$x$ $$ '--a' $$ $x$", "$x$ $$ '--b' $$ $x$"],
    ['a b', 'ab'],
    ['- -1', '--1'],
    ["'never closed --a", "'never closed --b"],
    ['$$ never closed a', '$$ never closed b'],
  ])('%j and %j', (one, other) => {
    expect(bareText(one)).not.toBe(bareText(other));
  });
});

describe('PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ migrations: [] });
  });
  afterAll(() => database.drop());

  test.each([
    "SELECT 'it''s -- not' /* one /* nested */ still */ || E'\\'--' AS a -- end",
    'SELECT "a--b" FROM (SELECT 1 AS "a--b") /*"*/ AS x',
    'SELECT 1 AS cost$a$b /* $a$ */, 2 AS f$$ -- $$',
    "SELECT '\\' || '--' /* ' */ AS backslash",
    'SELECT 1+--2\n3, 7/*/**/*/-/**/-2, 2 */* a */3, 6//**/2',
    "SELECT U&'\\0061--' || N'/*' || b'01'::text /**/ || x'ff'::text",
    "SELECT\fcoalesce(NULL,--'\r'a' ) , (ARRAY[1 , 2])[1]",
  ])('reads the same in both: %j', async (sql) => {
    const query = (text: string) => database.pool.query({ text, rowMode: 'array' });
    const bare = await query(bareText(sql));
    expect(bare.rows).toEqual((await query(sql)).rows);
    expect(bareText(bareText(sql))).toBe(bareText(sql));
  });
});
