import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, createTestRedis } from '@solegate/testkit';
import { build, type Format } from 'esbuild';

import { createProject, type Project } from './project.js';
import { WHOLE_USE, WHOLE_USE_FACTS } from './whole-use.js';

// Required, because an import reads every export of webpack, and many of them warn.
const webpack = createRequire(import.meta.url)('webpack') as typeof import('webpack');

let project: Project;
let entry: string;

beforeAll(async () => {
  project = await createProject();
  await project.write('package.json', '{ "type": "module" }');
  await project.write('whole-use.js', WHOLE_USE);
  entry = await project.write(
    'app.js',
    `import { wholeUse } from './whole-use.js';
     wholeUse().then((facts) => console.log(JSON.stringify(facts)));`,
  );
});

afterAll(() => project[Symbol.asyncDispose]());

/** Runs a bundle in an empty folder, where no package and none of its files can be found. */
async function runElsewhere(bundle: string, name: string): Promise<unknown> {
  await using database = await createTestDatabase({ migrations: [] });
  await using redis = await createTestRedis();
  const folder = await mkdtemp(join(tmpdir(), 'solegate-bundle-'));
  try {
    await cp(bundle, join(folder, name));
    const env = { ...process.env, DATABASE_URL: database.url, REDIS_URL: redis.url };
    const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: folder, env });
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.each<[Format, string, string]>([
  ['cjs', 'app.cjs', ''],
  // pg loads Node's modules with `require`, which esbuild does not provide.
  [
    'esm',
    'app.mjs',
    `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
  ],
])('an esbuild bundle works after it is moved: %s', async (format, name, banner) => {
  const outfile = join(project.folder, 'esbuild', name);
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format,
    minify: true,
    banner: { js: banner },
    external: ['pg-native'],
    outfile,
  });
  expect(await runElsewhere(outfile, name)).toEqual(WHOLE_USE_FACTS);
});

test('a webpack bundle works after it is moved', async () => {
  const compiler = webpack({
    mode: 'production',
    target: 'node20',
    context: project.folder,
    entry,
    optimization: { minimize: false },
    // pg tries to load it and works without it.
    externals: { 'pg-native': 'commonjs pg-native' },
    output: { path: join(project.folder, 'webpack'), filename: 'app.cjs' },
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  expect(stats?.toJson({ all: false, errors: true }).errors).toEqual([]);
  expect(await runElsewhere(join(project.folder, 'webpack/app.cjs'), 'app.cjs')).toEqual(WHOLE_USE_FACTS);
});

describe('a bundle of the client for a page', () => {
  const PAGE = `
    import { createClient, parseTsid } from '@solegate/client';
    import { webSockets } from '@solegate/client/websocket';
    const client = createClient({ url: process.argv[2], webSocket: webSockets() });
    client.acceptTrip({ input: { tripId: parseTsid('1'), offerEpoch: 1 } }).then(async (outcome) => {
      await client.close();
      console.log(JSON.stringify(outcome));
    });`;
  const OUTCOME = { __typename: 'TripAccepted', driverId: '1' };
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.end(JSON.stringify({ data: { acceptTrip: OUTCOME } }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
    await project.write('page.js', PAGE);
  });

  afterAll(() => void server.close());

  async function runPage(bundle: string): Promise<unknown> {
    const { stdout } = await promisify(execFile)(process.execPath, [bundle, url]);
    return JSON.parse(stdout);
  }

  test('by esbuild', async () => {
    const outfile = join(project.folder, 'page/esbuild.cjs');
    await build({
      entryPoints: [join(project.folder, 'page.js')],
      bundle: true,
      platform: 'browser',
      minify: true,
      outfile,
    });
    expect(await runPage(outfile)).toEqual(OUTCOME);
  });

  test('by webpack', async () => {
    const compiler = webpack({
      mode: 'production',
      target: 'web',
      context: project.folder,
      entry: join(project.folder, 'page.js'),
      output: { path: join(project.folder, 'page'), filename: 'webpack.cjs' },
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    expect(stats?.toJson({ all: false, errors: true }).errors).toEqual([]);
    expect(await runPage(join(project.folder, 'page/webpack.cjs'))).toEqual(OUTCOME);
  });
});
