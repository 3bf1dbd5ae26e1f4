import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, test } from '@jest/globals';
import { build } from 'esbuild';

import { EXAMPLES, useLetters, useOrders, usePage, withServer } from './example.js';
import { createProject, type Project } from './project.js';

const FRAMEWORKS = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/typeorm',
  'drizzle-orm',
  'express',
  'reflect-metadata',
  'rxjs',
];

let project: Project;

beforeAll(async () => {
  project = await createProject(FRAMEWORKS);
});

afterAll(() => project[Symbol.asyncDispose]());

/** A copy of the example next to the packed packages, with this package's frameworks. */
async function copyOf(name: string): Promise<string> {
  const folder = join(project.folder, name);
  await cp(join(EXAMPLES, name), folder, { recursive: true });
  return folder;
}

test('Express with Drizzle numbers letters in their transactions', async () => {
  const folder = await copyOf('express-drizzle');
  await withServer(folder, ['app.js'], useLetters);
}, 60_000);

test('NestJS with TypeORM gives orders their keys and invoices their numbers', async () => {
  const folder = await copyOf('nestjs-typeorm');
  const typescript = createRequire(import.meta.url).resolve('typescript-6/bin/tsc');
  await promisify(execFile)(process.execPath, [typescript], { cwd: folder });
  await withServer(folder, ['dist/main.js'], useOrders);
}, 120_000);

test('a page issues a number', async () => {
  const folder = await copyOf('browser');
  await build({
    entryPoints: [join(folder, 'page.js')],
    bundle: true,
    minify: true,
    format: 'esm',
    outfile: join(folder, 'public/page.js'),
  });
  await usePage(folder);
}, 120_000);
