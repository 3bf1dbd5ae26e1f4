import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startLocalServices, startPostgres, startRedis } from '../src/index.js';
import { survivors } from './process-list.js';
import { temporaryDirectory } from './temporary-directory.js';

test('both start at once, tell their steps, and stop together', async () => {
  const directory = await temporaryDirectory();
  const steps: string[] = [];
  const services = await startLocalServices({ directory, onProgress: (step) => steps.push(step) });
  expect(services.postgres.url).toMatch(/^postgres:\/\/solegate@127\.0\.0\.1:\d+\/postgres$/);
  expect(services.redis.url).toMatch(/^redis:\/\/127\.0\.0\.1:\d+$/);
  expect(steps).toEqual(
    expect.arrayContaining(['creating the PostgreSQL cluster', 'starting PostgreSQL', 'starting Redis']),
  );
  await Promise.all([services.stop(), services.stop()]);
  expect(await survivors([services.postgres.pid, services.redis.pid], 0)).toEqual([]);
});

test('when Redis is refused, the PostgreSQL that had started is stopped again', async () => {
  const directory = await temporaryDirectory();
  const redis = await startRedis({ dataDir: join(directory, 'redis') });
  await expect(startLocalServices({ directory })).rejects.toMatchObject({
    code: 'DATA_IN_USE',
    service: 'Redis',
  });
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres') });
  await Promise.all([postgres.stop(), redis.stop()]);
});
