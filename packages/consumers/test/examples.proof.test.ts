import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
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
});

test('Express with Prisma numbers letters in their transactions', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'solegate-prisma-'));
  await cp(join(EXAMPLES, 'express-prisma'), folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  delete manifest.dependencies['@solegate/doc-numbering'];
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const own = project.tarballs.filter((file) => /solegate-(?:doc|postgres|redis)-/.test(file));
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await promisify(execFile)('npm', ['install', ...flags, ...own], { cwd: folder });
  // Otherwise it downloads an engine for migrations.
  const env = { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  const generate = ['node_modules/prisma/build/index.js', 'generate', '--schema=schema.prisma'];
  await promisify(execFile)(process.execPath, generate, { cwd: folder, env });
  await withServer(folder, ['app.js'], useLetters);
  await rm(folder, { recursive: true });
});

test('NestJS with TypeORM gives orders their keys and invoices their numbers', async () => {
  const folder = await copyOf('nestjs-typeorm');
  const typescript = createRequire(import.meta.url).resolve('typescript-6/bin/tsc');
  await promisify(execFile)(process.execPath, [typescript], { cwd: folder });
  await withServer(folder, ['dist/main.js'], useOrders);
});

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
});
