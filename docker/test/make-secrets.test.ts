import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import { type ComposeFile, dockerFolder, readCompose, readText } from './deployment-files.js';

let folder: string;
const read = (name: string) => readFile(join(folder, name), 'utf8');
const make = () =>
  promisify(execFile)('/bin/sh', [fileURLToPath(new URL('make-secrets.sh', dockerFolder)), 'tls'], {
    env: { ...process.env, SECRETS_FOLDER: folder },
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'solegate-secrets-'));
  await make();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('creates every secret that the compose files name, readable in containers and by no other local user', async () => {
  const files = [readCompose(), parse(readText('tls.compose.yaml')) as ComposeFile].flatMap(({ secrets }) =>
    Object.values(secrets).map(({ file }) => file.replace('secrets/', '')),
  );
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) {
    const { mode, size } = await stat(join(folder, file));
    expect([file, (mode & 0o777).toString(8), size > 20]).toEqual([file, '444', true]);
  }
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('URLs contain the PostgreSQL password of their role, and verify TLS certificates', async () => {
  expect(await read('owner_database_url')).toBe(
    `postgres://solegate:${await read('owner_password')}@postgres:5432/solegate`,
  );
  expect(await read('database_url')).toBe(
    `postgres://solegate_runtime:${await read('runtime_password')}@postgres:5432/solegate`,
  );
  expect(await read('database_url_tls')).toBe(
    `${await read('database_url')}?sslmode=verify-full&sslrootcert=/run/secrets/ca.crt`,
  );
  expect((await read('jwt_secret')).length).toBeGreaterThanOrEqual(32);
});

test('keeps existing secrets', async () => {
  const before = await Promise.all(['jwt_secret', 'owner_password', 'ca.crt', 'redis.crt'].map(read));
  await make();
  expect(await Promise.all(['jwt_secret', 'owner_password', 'ca.crt', 'redis.crt'].map(read))).toEqual(
    before,
  );
});
