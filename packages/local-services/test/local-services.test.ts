import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startLocalServices, startPostgres, startRedis } from '../src/index.js';
import { survivors } from './process-list.js';
import { temporaryDirectory } from './temporary-directory.js';

test('both start concurrently, report their steps, and stop together', async () => {
  const directory = await temporaryDirectory();
  const steps: string[] = [];
  const services = await startLocalServices({ directory, onProgress: (step) => steps.push(step) });
  expect(services.databaseUrl).toMatch(/^postgres:\/\/solegate@127\.0\.0\.1:\d+\/postgres$/);
  expect(services.redisUrl).toMatch(/^redis:\/\/127\.0\.0\.1:\d+$/);
  expect(steps).toEqual(
    expect.arrayContaining(['creating the PostgreSQL cluster', 'starting PostgreSQL', 'starting Redis']),
  );
  await Promise.all([services.stop(), services.stop()]);
  const pids = [services.postgres?.pid, services.redis?.pid].filter((pid) => pid !== undefined);
  expect(pids).toHaveLength(2);
  expect(await survivors(pids, 0)).toEqual([]);
});

test('a service whose URL is given is neither started nor stopped', async () => {
  const directory = await temporaryDirectory();
  const redis = await startRedis();
  const services = await startLocalServices({
    directory,
    databaseUrl: 'postgres://elsewhere',
    redisUrl: redis.url,
  });
  expect(services).toMatchObject({ databaseUrl: 'postgres://elsewhere', redisUrl: redis.url });
  expect([services.postgres, services.redis]).toEqual([undefined, undefined]);
  await services.stop();
  expect(await survivors([redis.pid], 0)).toEqual([redis.pid]);
  await redis.stop();
});

test('if Redis cannot start, the PostgreSQL that has started is stopped', async () => {
  const directory = await temporaryDirectory();
  const redis = await startRedis({ dataDir: join(directory, 'redis') });
  await expect(startLocalServices({ directory })).rejects.toMatchObject({
    code: 'DATA_IN_USE',
    service: 'Redis',
  });
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres') });
  await Promise.all([postgres.stop(), redis.stop()]);
});
