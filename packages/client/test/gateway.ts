import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, startRedisServer } from '@solegate/testkit';

/** The build, which a test run brings up to date first. */
const MAIN = fileURLToPath(new URL('../../../apps/gateway/dist/main.js', import.meta.url));
/** On a machine that may have two cores, and other tests at the same time. */
const START_MAX_MS = 80_000;
const READY = /ready at (http:\/\/\S+\/graphql)/;

/** The real gateway in a process of its own, on real stores, in demo mode unless the environment says otherwise. */
export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  readonly databaseUrl: string;
  readonly process: ChildProcess;
}

export async function startGateway(environment: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
  const [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  const stores = { DATABASE_URL: database.url, REDIS_URL: redis.url };
  const { url, process } = await spawnGateway({ ...stores, ...environment });
  return {
    url,
    databaseUrl: database.url,
    process,
    async [Symbol.asyncDispose]() {
      await endGateway(process);
      await Promise.all([database.drop(), redis.stop()]);
    },
  };
}

/** A gateway on stores that are there. */
export async function spawnGateway(
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PORT: '0', LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const tooLate = setTimeout(() => child.kill('SIGKILL'), START_MAX_MS);
  try {
    return { url: await readUrl(child), process: child };
  } finally {
    clearTimeout(tooLate);
  }
}

export async function endGateway(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function readUrl(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      if (output === '' || !READY.test(output)) output += chunk.toString();
      const url = READY.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}: ${output}`)));
  });
}
