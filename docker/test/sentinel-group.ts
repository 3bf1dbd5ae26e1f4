import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisServer, startRedis } from '@solegate/local-services';

import { composeService, readText, readVariables } from './deployment-files.js';

/** What the profile `sentinel` starts, as plain processes: a master, a replica and the sentinels. */
export interface SentinelGroup extends AsyncDisposable {
  /** The URL of sentinel.env, with the addresses of the sentinels. */
  readonly url: string;
  /** kill -9 of the first master. */
  killMaster(): void;
}

export async function startSentinelGroup(): Promise<SentinelGroup> {
  const folder = await mkdtemp(join(tmpdir(), 'solegate-sentinel-'));
  // If we are root, the servers run as another user, and a sentinel writes next to its configuration.
  await chmod(folder, 0o777);
  const servers: RedisServer[] = [];
  const start = async (name: string, text: string, args: string[] = []): Promise<RedisServer> => {
    const configFile = join(folder, `${name}.conf`);
    await writeFile(configFile, text);
    await chmod(configFile, 0o666);
    const server = await startRedis({ configFile, args, persistence: 'aof' });
    servers.push(server);
    return server;
  };

  const redisSettings = readText('redis.conf');
  const master = await start('master', redisSettings);
  await start('replica', redisSettings, ['--replicaof', '127.0.0.1', String(master.port)]);
  const sentinelSettings = readText('sentinel.conf').replace(' redis 6379 ', ` 127.0.0.1 ${master.port} `);
  const { replicas } = composeService('sentinel').deploy as { replicas: number };
  const sentinels = await Promise.all(
    Array.from({ length: replicas }, (_, index) =>
      start(`sentinel-${index}`, sentinelSettings, ['--sentinel']),
    ),
  );
  const addresses = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: (readVariables('sentinel.env').REDIS_URL ?? '').replace('sentinel:26379', addresses),
    killMaster: () => process.kill(master.pid, 'SIGKILL'),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
