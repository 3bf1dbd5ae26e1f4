import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { useTrips, withServer } from '../example.js';
import { withLaunchedExample } from '../launched-example.js';
import { createProject, type Project } from '../project.js';
import { WHOLE_USE, WHOLE_USE_FACTS } from '../whole-use.js';

const run = promisify(execFile);

const ROUTE = `
import { wholeUse } from '../whole-use.js';
export const dynamic = 'force-dynamic';
export const GET = async () => Response.json(await wholeUse());
`;

const LAYOUT =
  'export default function Layout({ children }) { return <html><body>{children}</body></html>; }';

const ENVIRONMENT = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' as const };

let packed: Project;
let folder: string;
let next: string;

/** Fetches Next.js from the registry (354 MB on disk), so it is not part of `npm test`. */
beforeAll(async () => {
  packed = await createProject();
  folder = join(packed.folder, 'next');
  await packed.write('next/package.json', '{ "private": true }');
  await packed.write('next/app/layout.jsx', LAYOUT);
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
  next = join(folder, 'node_modules/next/dist/bin/next');
});

afterAll(() => packed[Symbol.asyncDispose]());

test.each(['--turbopack', '--webpack'])(
  'a Next.js route creates the tables, issues, accepts and mints: next build %s',
  async (bundler) => {
    await rm(join(folder, '.next'), { recursive: true, force: true });
    await run(process.execPath, [next, 'build', bundler], { cwd: folder, env: ENVIRONMENT });
    const command = [next, 'start', '--hostname', '127.0.0.1'];
    await withServer(folder, command, async (address) => {
      expect(await (await fetch(`${address}/use`)).json()).toEqual(WHOLE_USE_FACTS);
    });
  },
);

test('npm run example nextjs serves requests until Ctrl-C', async () => {
  expect(await withLaunchedExample('nextjs', useTrips)).toMatchObject({ exitCode: 0, left: [] });
});
