import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface HostedServices {
  readonly host: ChildProcess;
  /** Resolves when the host has ended. */
  readonly ended: Promise<unknown>;
  readonly postgresUrl: string;
  readonly postgresPid: number;
  readonly redisUrl: string;
  readonly redisPid: number;
  readonly dataDirs: readonly string[];
}

/**
 * Both services, started by a separate Node process (`service-host.ts`) in its own process group.
 */
export async function hostServices(directory: string, behaviour: string): Promise<HostedServices> {
  const tsx = import.meta.resolve('tsx');
  const program = fileURLToPath(new URL('./service-host.ts', import.meta.url));
  const host = spawn(
    process.execPath,
    ['--conditions=@solegate/source', '--import', tsx, program, directory, behaviour],
    { detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = once(host, 'exit');
  let complaint = '';
  host.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text;
  });
  for await (const line of createInterface({ input: host.stdout })) {
    return { host, ended, ...JSON.parse(line) };
  }
  throw new Error(`The host ended before its services were up: ${complaint}`);
}
