import { execFile } from 'node:child_process';
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, test } from '@jest/globals';

import { EXAMPLES, useLetters, useOrders, usePage, useTrips, withServer } from '../example.js';
import { createProject, type Project } from '../project.js';

const run = promisify(execFile);
const INSTALL_MAX_MS = 480_000;

let project: Project;

beforeAll(async () => {
  project = await createProject();
});

afterAll(() => project[Symbol.asyncDispose]());

/** A copy of the example as installed by npm: frameworks from the registry, packages from their tarballs. */
async function installed(name: string): Promise<string> {
  const folder = join(project.folder, 'examples', name);
  await cp(join(EXAMPLES, name), folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const tarball of project.tarballs) {
    const file = basename(tarball);
    await copyFile(tarball, join(folder, file));
    manifest.dependencies[`@solegate/${file.replace(/^solegate-|-\d[^/]*$/g, '')}`] = `file:${file}`;
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await run('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps'], { cwd: folder });
  return folder;
}

test(
  'Express with Drizzle',
  async () => {
    await withServer(await installed('express-drizzle'), [process.execPath, 'app.js'], useLetters);
  },
  INSTALL_MAX_MS,
);

test(
  'NestJS with TypeORM',
  async () => {
    const folder = await installed('nestjs-typeorm');
    await run('npm', ['run', 'build'], { cwd: folder });
    // Not by `npm start`, whose shell does not forward the signal that stops the server.
    await withServer(folder, [process.execPath, 'dist/main.js'], useOrders);
  },
  INSTALL_MAX_MS,
);

test(
  'Next.js',
  async () => {
    const folder = await installed('nextjs');
    await run('npm', ['run', 'build'], { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } });
    const next = join(folder, 'node_modules/next/dist/bin/next');
    await withServer(folder, [process.execPath, next, 'start', '--hostname', '127.0.0.1'], useTrips);
  },
  INSTALL_MAX_MS,
);

test(
  'a page',
  async () => {
    const folder = await installed('browser');
    await run('npm', ['run', 'build'], { cwd: folder });
    await usePage(folder);
  },
  INSTALL_MAX_MS,
);
