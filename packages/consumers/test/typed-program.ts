import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Project } from './project.js';

const installed = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** A compiler version, its module resolution, and the program's format. */
export interface Cell {
  readonly typescript: '5.4' | '5.9' | '6' | '7';
  readonly resolution: 'node10' | 'node16' | 'nodenext' | 'bundler';
  readonly format: 'esm' | 'cjs';
}

const everyResolution = (['node10', 'node16', 'nodenext', 'bundler'] as const).flatMap((resolution) =>
  (['esm', 'cjs'] as const).map((format) => ({ resolution, format })),
);

/** Every supported combination; TypeScript 7 has no node10. */
export const EVERY_CELL: readonly Cell[] = (['5.4', '5.9', '6', '7'] as const)
  .flatMap((typescript) => everyResolution.map((way) => ({ typescript, ...way })))
  .filter(({ typescript, resolution }) => typescript !== '7' || resolution !== 'node10');

/** The application: it imports every entry point and passes its own connections. */
const PROGRAM = `
import { createClient, parseTsid, SolegateError } from '@solegate/client';
import { AcceptTripDocument } from '@solegate/client/documents';
import { webSockets } from '@solegate/client/websocket';
import { createNumbering, migrateNumbering, type Numbering, NumberingError, type SqlPool } from '@solegate/doc-numbering';
import { testNumbering } from '@solegate/doc-numbering/testing';
import { NumberEntity, numberingMigrations } from '@solegate/doc-numbering/typeorm';
import { migrate, PostgresFailure } from '@solegate/postgres-infra';
import { migrationClasses } from '@solegate/postgres-infra/typeorm';
import { connectRedis, createLockManager, createPubSub, loadScript, type RedisConnection, RedisFailure } from '@solegate/redis-infra';
import { type AcceptOutcome, createTripReservation, TripReservationError } from '@solegate/trip-reservation';
import { TripEntity, tripMigrations } from '@solegate/trip-reservation/typeorm';
import { createTsidGenerator, TsidError, toCrockford } from '@solegate/tsid-core';
import { createTsidScalar } from '@solegate/tsid-core/graphql';
import { leaseNode, type NodeLease, NodeLeaseError } from '@solegate/tsid-core/node-lease';
import { tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { Redis } from 'ioredis';

export const own: RedisConnection = new Redis();
export const doors = [NumberEntity, numberingMigrations, migrate, migrationClasses, TripEntity, tripMigrations];
export const more = [createTsidScalar, tsidPrimaryColumn, AcceptTripDocument, testNumbering];

export async function ask(): Promise<string> {
  const client = createClient({ url: '/graphql', webSocket: webSockets() });
  try {
    const result = await client.acceptTrip({ input: { tripId: parseTsid('1'), offerEpoch: 1 } });
    for await (const event of client.tripUpdated({ tripId: parseTsid(1n), afterRevision: 0 })) return event.status;
    return result.__typename === 'TripAccepted' ? result.driverId : result.__typename;
  } catch (error) {
    return error instanceof SolegateError ? error.code : 'unknown';
  }
}

export async function main(pool: SqlPool): Promise<string> {
  await migrateNumbering(pool);
  const redis = connectRedis({ url: 'redis://127.0.0.1', purpose: 'decision' });
  const script = loadScript({ name: 'one', text: 'return 1', keyCount: 0, decode: (reply) => reply === 1 });
  const isOne: boolean = await script.run(own, [], []);
  const outcome = await createLockManager([redis, own]).tryAcquire('lock', { ttlMs: 1000 });
  if (outcome.kind === 'HELD') await outcome.lock.release();
  const pubSub = createPubSub({ subscriber: redis, publisher: own });
  for await (const event of await pubSub.subscribe('channel')) if (event.kind === 'MESSAGE') break;
  const lease: NodeLease = await leaseNode({ redis: own });
  const ids = createTsidGenerator({ lease });
  const numbering: Numbering = createNumbering({ database: pool, redis });
  const trips = createTripReservation({ database: pool, redis: own });
  try {
    const issued = await numbering.issue({ space: 'a', series: 'b', actor: 'c' });
    const accepted: AcceptOutcome = await trips.acceptTrip({ tripId: ids.next(), driverId: 1n, offerEpoch: 1 });
    return [issued.number, accepted.kind, toCrockford(1n), isOne].join();
  } catch (error) {
    if (error instanceof NumberingError) return error.code === 'EXHAUSTED' ? String(error.limit) : error.code;
    if (error instanceof TripReservationError && error.code === 'INVALID_REQUEST') return error.field;
    if (error instanceof TripReservationError) return error.code;
    if (error instanceof TsidError && error.code === 'NODE_UNAVAILABLE') return error.reason;
    if (error instanceof NodeLeaseError && error.code === 'NODES_EXHAUSTED') return String(error.liveCount);
    if (error instanceof RedisFailure) return error.code;
    if (error instanceof PostgresFailure) return error.kind;
    throw error;
  }
}
`;

/** Separate, because the types of pg 8.23 themselves do not compile under TypeScript 5.4. */
const POOL_PROGRAM = `
import { createNumbering } from '@solegate/doc-numbering';
import { createTripReservation } from '@solegate/trip-reservation';
import { Pool } from 'pg';

const database = new Pool();
export const packages = [createNumbering({ database }), createTripReservation({ database })];
`;

/** Types passed between callers that may have been compiled for different module formats. */
const HANDED_OVER: Record<string, readonly string[]> = {
  'redis-infra': [
    'RedisConnection',
    'RedisFailure',
    'LockManager',
    'LuaScript<number>',
    'PubSub',
    'Subscription',
  ],
  'postgres-infra': ['SqlPool', 'PostgresFailure', 'Migration'],
  'doc-numbering': ['Numbering', 'IssuedNumber', 'NumberingError', 'NumberingOptions'],
  'trip-reservation': [
    'TripReservation',
    'Trip',
    'AcceptOutcome',
    'TripReservationError',
    'TripReservationOptions',
  ],
  'tsid-core': ['TsidGenerator', 'TsidLayout', 'NodeSource', 'TsidError'],
  client: ['Client', 'ClientOptions', 'SolegateError', 'Tsid', 'CallOptions'],
  'tsid-core/node-lease': ['NodeLease', 'NodeLeaseHealth', 'NodeLeaseError', 'LeaseStore'],
};

/** Passes each type from an ES module to CommonJS, and back. */
const TWO_FORMATS = Object.entries(HANDED_OVER).flatMap(([door, types]) => {
  const seenBy = (mode: string) => `import('@solegate/${door}', { with: { 'resolution-mode': '${mode}' } })`;
  return types.map(
    (type) => `
      export const over = (own: ${seenBy('import')}.${type}): ${seenBy('require')}.${type} => own;
      export const back = (other: ${seenBy('require')}.${type}): ${seenBy('import')}.${type} => other;`,
  );
});

/** Compiles programs that mix both formats, and returns the compiler's output. */
export async function checkTwoFormats(project: Project): Promise<string> {
  const files = await Promise.all(
    TWO_FORMATS.map((text, index) => project.write(`esm/two-formats-${index}.mts`, text)),
  );
  const options = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    'node',
    '--skipLibCheck',
    '--strict',
  ];
  return compile(project, '7', [...files, ...options]);
}

/** Compiles the application and every declaration that it reaches, and returns the compiler's output. */
export async function typeCheck(project: Project, { typescript, resolution, format }: Cell): Promise<string> {
  await project.write(`${format}/package.json`, `{ "type": "${format === 'esm' ? 'module' : 'commonjs'}" }`);
  const files = [await project.write(`${format}/program.ts`, PROGRAM)];
  if (typescript !== '5.4') files.push(await project.write(`${format}/pool.ts`, POOL_PROGRAM));
  const options = {
    module: moduleFor(resolution, format),
    moduleResolution: resolution,
    target: 'es2022',
    types: 'node',
    ...(typescript === '6' && resolution === 'node10' ? { ignoreDeprecations: '6.0' } : {}),
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return compile(project, typescript, [
    ...files,
    ...flags,
    '--esModuleInterop',
    '--strict',
    '--skipLibCheck',
    'false',
  ]);
}

/** A page that uses only the client: without the types of Node or graphql-js. */
const PAGE_PROGRAM = `
import { createClient, parseTsid } from '@solegate/client';
export const status = createClient({ url: '/graphql' }).trip({ id: parseTsid('1') }).then((trip) => trip?.status);
`;

/** Compiles the page's program, and returns the compiler's output. */
export async function checkPage(project: Project, typescript: Cell['typescript']): Promise<string> {
  const compilerOptions = {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    strict: true,
    skipLibCheck: false,
    types: [],
  };
  await project.write('page/page.ts', PAGE_PROGRAM);
  await project.write('page/tsconfig.json', JSON.stringify({ compilerOptions, files: ['page.ts'] }));
  const graphql = join(project.folder, 'node_modules/graphql');
  await rename(graphql, `${graphql}-elsewhere`);
  try {
    return await compile(project, typescript, ['--project', 'page']);
  } finally {
    await rename(`${graphql}-elsewhere`, graphql);
  }
}

function compile(project: Project, typescript: Cell['typescript'], args: string[]): Promise<string> {
  const tsc = join(installed, typescript === '7' ? 'typescript' : `typescript-${typescript}`, 'bin/tsc');
  return new Promise((resolve) => {
    const options = [tsc, '--noEmit', ...args];
    execFile(process.execPath, options, { cwd: project.folder }, (error, stdout, stderr) => {
      resolve(error === null ? '' : stdout + stderr + error.message);
    });
  });
}

function moduleFor(resolution: Cell['resolution'], format: Cell['format']): string {
  if (resolution === 'node16' || resolution === 'nodenext') return resolution;
  if (format === 'esm') return 'esnext';
  return resolution === 'bundler' ? 'preserve' : 'commonjs';
}
