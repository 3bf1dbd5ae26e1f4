import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@solegate/local-services';
import {
  type PostgresTestServer,
  type RedisTestServer,
  startPostgresServer,
  startRedisServer,
  until,
} from '@solegate/testkit';
import { SignJWT } from 'jose';

import { readText } from './deployment-files.js';
import { type NginxServer, startNginx } from './nginx-server.js';
import { blockOf, pageText } from './operations-page.js';
import { runSql } from './run-sql.js';

/*
 * Follows docs/operations like a new user: the roles, the tables, a gateway and nginx, with the pages' commands. Only
 * addresses and the folder of the secrets are replaced by those of this machine.
 */

const gatewayFolder = fileURLToPath(new URL('../../apps/gateway/', import.meta.url));
let postgres: PostgresTestServer;
let redis: RedisTestServer;
let secrets: string;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([
    startPostgresServer(),
    startRedisServer({ persistence: 'aof', args: ['--maxmemory-policy', 'noeviction'] }),
  ]);
  secrets = await mkdtemp(join(tmpdir(), 'solegate-secrets-'));
  const url = (role: string) => `postgres://${role}@127.0.0.1:${postgres.port}/solegate`;
  const files = {
    owner_database_url: url('solegate_owner:change-me'),
    database_url: url('solegate_runtime:change-me-too'),
    redis_url: redis.url,
    jwt_secret: randomBytes(48).toString('base64'),
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(secrets, name), `${content}\n`, { mode: 0o400 });
  }
});

afterAll(async () => {
  await redis?.stop();
  await postgres?.stop();
  await rm(secrets, { recursive: true, force: true });
});

/** A command of a page, with the addresses of this machine. */
function here(command: string, replaced: Readonly<Record<string, string>> = {}): string {
  const known = { '/run/secrets': secrets, '@host/': `@127.0.0.1:${postgres.port}/`, ...replaced };
  return Object.entries(known).reduce((line, [from, to]) => line.replaceAll(from, to), command);
}

const environment = { PATH: process.env.PATH };
const shell = (command: string) =>
  promisify(execFile)('/bin/sh', ['-ec', command], { cwd: gatewayFolder, env: environment });

describe('processes of your own, by install.md and roles.md', () => {
  let gateway: ReturnType<typeof spawn>;
  let nginx: NginxServer;
  let port: number;

  afterAll(async () => {
    await nginx?.stop();
    if (gateway?.exitCode !== null) return;
    gateway.kill('SIGKILL');
    await once(gateway, 'exit');
  });

  test('an administrator creates the roles; no other role can read their tables', async () => {
    await runSql(postgres.url, blockOf('roles.md', 'sql', 'CREATE ROLE'));
  });

  test('the owner creates the tables, repeatedly', async () => {
    await shell(here(blockOf('roles.md', 'sh', 'migrate')));
    await shell(here(blockOf('install.md', 'sh', 'migrate')));
  });

  test('tables that have grown are vacuumed by install.md, and trips are deleted by roles.md', async () => {
    const asOwner = (await readFile(join(secrets, 'owner_database_url'), 'utf8')).trim();
    const [grant = ''] = /GRANT DELETE ON trips TO \w+/.exec(pageText('roles.md')) ?? [];
    await runSql(asOwner, `${blockOf('install.md', 'sql', 'autovacuum')}${grant}`);
  });

  test('whoever watches runs the queries of runbook.md, and an administrator its remedies', async () => {
    await runSql(postgres.url, blockOf('runbook.md', 'sql', 'solegate_monitor'));
    const asMonitor = `postgres://solegate_monitor:change-me@127.0.0.1:${postgres.port}/solegate`;
    const named = [...pageText('runbook.md').matchAll(/`((?:SELECT|ALTER SYSTEM|VACUUM) [^`]+)`/g)];
    expect(named.length).toBeGreaterThan(5);
    for (const [, sql = ''] of named) await runSql(sql.startsWith('SELECT') ? asMonitor : postgres.url, sql);
    const [, setting = '', value = ''] = /`CONFIG SET (\w+) (\w+)`/.exec(pageText('runbook.md')) ?? [];
    await redis.client().config('SET', setting, value);
  });

  /** 0.0.0.0 would be open to the network, and here nginx connects from loopback. */
  const LOCAL = { 'HOST=0.0.0.0': 'HOST=127.0.0.1', 'TRUSTED_PROXIES=10.0.0.1': 'TRUSTED_PROXIES=loopback' };

  async function serve(command: string): Promise<void> {
    gateway = spawn('/bin/sh', ['-ec', `exec env ${command}`], {
      cwd: gatewayFolder,
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    // An empty Redis grants its first nodes after every lease that it might have forgotten would have ended.
    await until(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok, {
      timeoutMs: 240_000,
      intervalMs: 250,
      what: 'a gateway that is ready',
    });
  }

  test('a gateway starts with its secrets from files, and reports when it is ready', async () => {
    port = await freePort();
    await serve(`PORT=${port} ${here(blockOf('install.md', 'sh', ' serve'), LOCAL)}`);
  });

  test('nginx serves a caller with a token of the issuer, and programs nothing but /graphql', async () => {
    nginx = await startNginx([port]);
    const secret = await readFile(join(secrets, 'jwt_secret'), 'utf8');
    const token = await new SignJWT({ roles: ['admin'], projects: '*' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('1')
      .setIssuer('https://id.example.com')
      .setAudience('solegate')
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(secret.trim()));
    const response = await fetch(`${nginx.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        query: 'mutation { generateTsids(count: 2) { ... on TsidsGenerated { ids } } }',
      }),
    });
    expect(await response.json()).toEqual({
      data: { generateTsids: { ids: [expect.any(String), expect.any(String)] } },
    });
    for (const path of ['/metrics', '/health/ready', '/health/live', '/']) {
      expect([path, (await fetch(`${nginx.url}${path}`)).status]).toEqual([path, 404]);
    }
  });

  test('SIGTERM drains it, and it exits with 0', async () => {
    const exited = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  test('the unit of systemd runs the same, with its credentials, and waits long enough for its end', async () => {
    const unit = blockOf('install.md', 'ini', '[Service]');
    const valuesOf = (key: string) =>
      [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
    const assigned = /\b[A-Z_]+=\S+/g;
    const own = valuesOf('Environment').flatMap((line) => line.match(assigned) ?? []);
    const names = own.map((setting) => setting.split('=')[0]);
    // Whatever the unit does not set is in the file that it names.
    const others = here(blockOf('install.md', 'sh', ' serve'), LOCAL)
      .match(assigned)
      ?.filter((setting) => !names.includes(setting.split('=')[0]));
    port = await freePort();
    const command = [...(others ?? []), ...own, ...valuesOf('ExecStart')].join(' ');
    await serve(
      command.replaceAll('%i', String(port)).replaceAll('%d', secrets).replace('/usr/bin/node', 'node'),
    );
    const exited = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    // What systemd does then.
    const killing = setTimeout(() => gateway.kill('SIGKILL'), Number(valuesOf('TimeoutStopSec')[0]) * 1000);
    expect(await exited).toEqual([0, null]);
    clearTimeout(killing);
  });
});

describe('secure.md: a start that cannot be safe is refused with what to do, and without the secret', () => {
  const faulty = async (changes: Readonly<Record<string, string>>): Promise<string> => {
    const command = here(blockOf('install.md', 'sh', ' serve'), changes);
    const failed: unknown = await shell(command).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 1 });
    const { stdout, stderr } = failed as { readonly stdout: string; readonly stderr: string };
    for (const secret of ['change-me-too', 'hunter2']) expect(stdout + stderr).not.toContain(secret);
    return stderr;
  };

  test('both forms of a secret at once', async () => {
    const both = { 'AUTH_MODE=jwt': 'AUTH_MODE=jwt JWT_SECRET=hunter2' };
    expect(await faulty(both)).toContain('JWT_SECRET: set it or JWT_SECRET_FILE, not both');
  });

  test('a file that is missing, and one that is empty', async () => {
    expect(await faulty({ '/jwt_secret': '/nowhere' })).toContain('JWT_SECRET_FILE: ENOENT');
    await writeFile(join(secrets, 'empty'), '\n');
    expect(await faulty({ '/database_url': '/empty' })).toMatch(/DATABASE_URL_FILE: .* is empty/);
  });

  test('a server without TLS where TLS is required', async () => {
    const url = `postgres://solegate_runtime:change-me-too@127.0.0.1:${postgres.port}/solegate?sslmode=verify-full`;
    await writeFile(join(secrets, 'tls_url'), url);
    expect(await faulty({ '/database_url': '/tls_url' })).toMatch(/does not offer TLS/);
  });
});

test('the runbook names only operations that exist', () => {
  const schema = readText('../apps/gateway/schema.graphql');
  const named = [...pageText('runbook.md').matchAll(/`(\w+(?:DocumentNumbers?|CounterRegression))`/g)];
  expect(named.length).toBeGreaterThan(2);
  for (const [, operation] of named) expect(schema).toMatch(new RegExp(`^  ${operation}[(:]`, 'm'));
});
