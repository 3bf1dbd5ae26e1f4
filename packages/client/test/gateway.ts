import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, startRedisServer } from '@solegate/testkit';

const MAIN = fileURLToPath(new URL('../../../apps/gateway/src/main.ts', import.meta.url));
/** It compiles its sources, on a machine that may have two cores. */
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
  const child = spawn(
    process.execPath,
    ['--conditions=@solegate/source', '--import', import.meta.resolve('tsx'), MAIN],
    {
      cwd: dirname(dirname(MAIN)),
      env: { PORT: '0', LOG_LEVEL: 'info', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
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
