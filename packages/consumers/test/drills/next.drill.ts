import { execFile, spawn } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { createTestDatabase, createTestRedis, until } from '@solegate/testkit';

import { createProject } from '../project.js';
import { WHOLE_USE, WHOLE_USE_FACTS } from '../whole-use.js';

const run = promisify(execFile);

const PORT = 4380;

const ROUTE = `
import { wholeUse } from '../whole-use.js';
export const dynamic = 'force-dynamic';
export const GET = async () => Response.json(await wholeUse());
`;

const PAGE = 'export default function Layout({ children }) { return <html><body>{children}</body></html>; }';

/** Fetches Next.js from the registry (354 MB on disk), so it is no part of `npm test`. */
test('a route of Next.js, built by Turbopack, makes the tables, draws, accepts and mints', async () => {
  await using packed = await createProject();
  const folder = join(packed.folder, 'next');
  await packed.write('next/package.json', '{ "private": true }');
  await packed.write('next/app/layout.jsx', PAGE);
  await packed.write('next/app/whole-use.js', WHOLE_USE);
  await packed.write('next/app/use/route.js', ROUTE);
  const tarballs = await Promise.all(
    packed.tarballs.map(async (tarball) => {
      await copyFile(tarball, join(folder, basename(tarball)));
      return `./${basename(tarball)}`;
    }),
  );
  const packages = ['next@16.4.6', 'react@19', 'react-dom@19', 'pg@8', 'ioredis@5', ...tarballs];
  await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder });
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' as const };
  const next = join(folder, 'node_modules/next/dist/bin/next');
  await run(process.execPath, [next, 'build'], { cwd: folder, env });

  await using database = await createTestDatabase({ migrations: [] });
  await using redis = await createTestRedis();
  const server = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', String(PORT)], {
    cwd: folder,
    env: { ...env, DATABASE_URL: database.url, REDIS_URL: redis.url },
    stdio: 'inherit',
  });
  try {
    const address = `http://127.0.0.1:${PORT}`;
    await until(
      () =>
        fetch(address).then(
          () => true,
          () => false,
        ),
      { timeoutMs: 30_000 },
    );
    expect(await (await fetch(`${address}/use`)).json()).toEqual(WHOLE_USE_FACTS);
  } finally {
    server.kill('SIGKILL');
  }
}, 300_000);
