import { createInterface } from 'node:readline';
import { startPostgres, startRedis } from '@solegate/local-services';

/*
 * The process that runs the servers of one Jest run. It reads the names of services from standard input, one per line,
 * answers each with one JSON line, and ends the servers when its input closes.
 */

interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Enough logical databases for every test file, and no FLUSHALL, with which a file could empty those of others. */
const SHARED_REDIS = ['--databases', '1024', '--rename-command', 'FLUSHALL', ''];

const SERVICES: Record<string, () => Promise<RunningServer>> = {
  postgres: () => startPostgres({ durability: 'none' }),
  redis: () => startRedis({ args: SHARED_REDIS }),
};

const running: RunningServer[] = [];

async function start(service: string): Promise<void> {
  try {
    const server = await SERVICES[service]?.();
    if (server === undefined) throw new Error(`There is no service ${service}`);
    running.push(server);
    answer({ service, url: server.url });
  } catch (error) {
    answer({ service, error: error instanceof Error ? error.message : String(error) });
  }
}

function answer(line: { service: string; url?: string; error?: string }): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const starts: Promise<void>[] = [];
for await (const service of createInterface({ input: process.stdin })) starts.push(start(service));

await Promise.allSettled(starts);
await Promise.allSettled(running.map((server) => server.stop()));
