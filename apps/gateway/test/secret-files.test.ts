import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigurationError, readConfig, readDatabaseUrls } from '../src/config.js';
import { readSecrets } from '../src/secret-files.js';
import { JWT_ENVIRONMENT } from './tokens.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'solegate-secrets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let fileCount = 0;

async function fileWith(content: string): Promise<string> {
  fileCount += 1;
  const file = join(folder, `secret-${fileCount}`);
  await writeFile(file, content, { mode: 0o400 });
  return file;
}

test.each(['DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'JWT_PUBLIC_KEY'])(
  '%s can be read from a file, without its surrounding whitespace',
  async (name) => {
    const file = await fileWith(`  the secret of ${name}\r\n`);
    const { variables, faults } = readSecrets({ [`${name}_FILE`]: file });
    expect(faults).toEqual([]);
    expect(variables[name]).toBe(`the secret of ${name}`);
  },
);

test('line breaks inside a key are kept', async () => {
  const key = '-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----';
  const { variables } = readSecrets({ JWT_PUBLIC_KEY_FILE: await fileWith(`${key}\n`) });
  expect(variables.JWT_PUBLIC_KEY).toBe(key);
});

test('no other variable can be read from a file', async () => {
  const { variables, faults } = readSecrets({ HOST_FILE: await fileWith('127.0.0.1'), HOST: 'localhost' });
  expect(faults).toEqual([]);
  expect(variables.HOST).toBe('localhost');
});

test('an empty variable or file name counts as absent', async () => {
  const file = await fileWith('postgres://db.test/solegate');
  const { variables, faults } = readSecrets({
    DATABASE_URL: '',
    DATABASE_URL_FILE: file,
    REDIS_URL_FILE: '',
  });
  expect(faults).toEqual([]);
  expect(variables.DATABASE_URL).toBe('postgres://db.test/solegate');
  expect(variables).not.toHaveProperty('REDIS_URL');
});

describe('a fault names the variable and the file, and never the secret', () => {
  test('a variable and its file at once', async () => {
    const { faults } = readSecrets({ JWT_SECRET: 'hunter2', JWT_SECRET_FILE: await fileWith('hunter3') });
    expect(faults).toEqual(['JWT_SECRET: set it or JWT_SECRET_FILE, not both']);
  });

  test('a missing file', () => {
    const file = join(folder, 'nowhere');
    const { faults } = readSecrets({ REDIS_URL_FILE: file });
    expect(faults).toEqual([expect.stringMatching(/^REDIS_URL_FILE: ENOENT.*nowhere/)]);
  });

  test('a folder', () => {
    expect(readSecrets({ REDIS_URL_FILE: folder }).faults).toEqual([
      expect.stringMatching(/^REDIS_URL_FILE: EISDIR/),
    ]);
  });

  test('a file that contains only a line break', async () => {
    const file = await fileWith('\n');
    expect(readSecrets({ DATABASE_URL_FILE: file }).faults).toEqual([`DATABASE_URL_FILE: ${file} is empty`]);
  });

  test('an invalid secret is reported together with every other fault', async () => {
    const environment = {
      ...JWT_ENVIRONMENT,
      JWT_SECRET: '',
      JWT_SECRET_FILE: await fileWith('hunter2'),
      DATABASE_URL_FILE: join(folder, 'nowhere'),
    };
    expect(() => readConfig(environment)).toThrow(ConfigurationError);
    expect(() => readConfig(environment)).toThrow(/DATABASE_URL_FILE: ENOENT.*JWT_SECRET: must have 32/s);
    expect(() => readConfig(environment)).not.toThrow(/hunter2/);
  });
});

test("gateways and migrations use the files' contents", async () => {
  const url = 'postgres://solegate_runtime:hunter2@db.test/solegate';
  const secret = 'a secret of more than 32 different characters';
  const files = {
    DATABASE_URL_FILE: await fileWith(`${url}\n`),
    REDIS_URL_FILE: await fileWith('rediss://redis.test:6379/0\n'),
    JWT_SECRET_FILE: await fileWith(`${secret}\n`),
  };
  expect(readConfig({ ...JWT_ENVIRONMENT, JWT_SECRET: '', ...files })).toMatchObject({
    databaseUrl: url,
    redisUrl: 'rediss://redis.test:6379/0',
    identity: { key: { kind: 'secret', secret: new TextEncoder().encode(secret) } },
  });
  expect(readDatabaseUrls({ DATABASE_URL_FILE: files.DATABASE_URL_FILE })).toEqual([url]);
});
