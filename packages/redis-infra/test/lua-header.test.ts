import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

import { readLuaFacts } from './lua-header.js';

const packages = fileURLToPath(new URL('../../', import.meta.url));

/** Every module of the workspace that contains Lua, recognized by `redis.call`. */
const modules = readdirSync(packages)
  .flatMap((name) => [`${name}/src`, `${name}/test/lua`])
  .flatMap((folder) => filesIn(folder))
  .filter((path) => path.endsWith('.ts') && read(path).includes('redis.call('));

const found = (
  await Promise.all(
    modules.map(async (path) => {
      const exported: Record<string, unknown> = await import(`${packages}${path}`);
      return Object.entries(exported).map(([name, text]) => ({ name, path, text: String(text) }));
    }),
  )
)
  .flat()
  .filter(({ text }) => text.includes('redis.call('));

/** A script that is part of another one is described there. */
const scripts = found.filter(
  ({ text }) => !found.some((other) => other.text !== text && other.text.includes(text)),
);

function filesIn(folder: string): string[] {
  try {
    return readdirSync(`${packages}${folder}`, { recursive: true }).map(
      (file) => `${folder}/${String(file)}`,
    );
  } catch {
    return [];
  }
}

function read(path: string): string {
  return readFileSync(`${packages}${path}`, 'utf8');
}

test('the scripts of the workspace are found', () => {
  expect(modules).toContain('redis-infra/test/lua/append.ts');
  expect(modules.some((path) => path.startsWith('trip-reservation/src/'))).toBe(true);
});

test.each(modules)('%s exports its script', (path) => {
  expect(found.map((script) => script.path)).toContain(path);
});

describe.each(scripts)('$name of $path', ({ text }) => {
  const facts = readLuaFacts(text);

  test('states its purpose, what it returns and why it is atomic', () => {
    expect(facts.missingFields).toEqual([]);
  });

  test('documents the keys and arguments that it uses, and no others', () => {
    expect(facts.saidKeys).toEqual(facts.usedKeys);
    expect(facts.saidArguments).toEqual(facts.usedArguments);
  });
});

test('reports a header that names a removed argument', () => {
  const stale = '-- ARGV[1]: holder\n-- ARGV[2]: gone\nreturn ARGV[1]';
  expect(readLuaFacts(stale)).toMatchObject({ saidArguments: ['1', '2'], usedArguments: ['1'] });
});

test('reports a key missing from the header, and ignores one that appears only in a comment', () => {
  const forgetful = '-- KEYS[1]: one\nlocal a = KEYS[1] -- not KEYS[3]\nreturn KEYS[2]';
  expect(readLuaFacts(forgetful)).toMatchObject({ saidKeys: ['1'], usedKeys: ['1', '2'] });
});

test('computed indexes need a range in the header', () => {
  const dynamic =
    '-- ARGV[1]: count\n-- ARGV[2..n]: names\nfor i = 2, #ARGV do log(ARGV[i]) end return ARGV[1]';
  const { saidArguments, usedArguments } = readLuaFacts(dynamic);
  expect(saidArguments).toEqual(usedArguments);
});

test('reports a header without its fields', () => {
  expect(readLuaFacts('-- Purpose: none\nreturn 1').missingFields).toEqual(['returns', 'why atomic']);
});
