import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url));
const ANNOUNCEMENT = /(http:\S+); Ctrl-C stops everything/;

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
  /** What still answers or runs: the example, or its PostgreSQL, which leaves this file if it is not shut down. */
  readonly left: readonly string[];
}

/** Runs `npm run example` with a name, on new stores, for as long as `use` runs with the address that it prints; then presses Ctrl-C. */
export async function withLaunchedExample(
  name: string,
  use: (address: string) => Promise<void>,
): Promise<Ended> {
  const data = await mkdtemp(join(tmpdir(), 'solegate-example-'));
  const launcher = spawn(process.execPath, [LAUNCHER, 'example', name], {
    env: { ...environment(), DATA_DIRECTORY: data, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(launcher, 'exit') as Promise<[number | null]>;
  let output = '';
  const announced = new Promise<string>((resolve) => {
    for (const stream of [launcher.stdout, launcher.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        const address = ANNOUNCEMENT.exec(output)?.[1];
        if (address !== undefined) resolve(address);
      });
    }
  });
  const left: string[] = [];
  let address: string | undefined;
  try {
    address = await Promise.race([announced, ended.then(() => undefined)]);
    if (address !== undefined) await use(address);
  } catch (error) {
    throw new Error(`The example failed: ${output}`, { cause: error });
  } finally {
    launcher.kill('SIGINT');
    await ended;
    if (await isAnswered(address)) left.push('the example');
    if (existsSync(join(data, 'postgres/postmaster.pid'))) left.push('PostgreSQL');
    await rm(data, { recursive: true });
  }
  const [exitCode] = await ended;
  return { exitCode, output, left };
}

/** Our own, without what a test run adds: the example starts its own stores, as for a user. */
function environment(): NodeJS.ProcessEnv {
  const foreign = /^(?:DATABASE_URL|REDIS_URL|TURBO_.*|NODE_ENV|JEST_.*)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

async function isAnswered(address: string | undefined): Promise<boolean> {
  if (address === undefined) return false;
  return fetch(address).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}
