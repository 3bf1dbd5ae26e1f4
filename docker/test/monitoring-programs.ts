import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, type UnpackedProgram, unpackDebianProgram } from '@solegate/local-services';
import { until } from '@solegate/testkit';

/** The distribution's package of each program; its path there is `usr/bin/` and the name. */
const PACKAGE_OF = {
  prometheus: 'prometheus',
  promtool: 'prometheus',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  amtool: 'prometheus-alertmanager',
  'prometheus-blackbox-exporter': 'prometheus-blackbox-exporter',
  'prometheus-node-exporter': 'prometheus-node-exporter',
  'prometheus-postgres-exporter': 'prometheus-postgres-exporter',
  'prometheus-redis-exporter': 'prometheus-redis-exporter',
} as const;

type MonitoringProgram = keyof typeof PACKAGE_OF;

/** A program of the distribution, unpacked below `.cache` like Redis. */
export function findProgram(name: MonitoringProgram): Promise<UnpackedProgram> {
  const packageName = PACKAGE_OF[name];
  return unpackDebianProgram({ packageName, command: `usr/bin/${name}`, usualPackages: [packageName] }, {});
}

/** A server of the monitoring, on a free loopback port. */
export interface Monitor extends AsyncDisposable {
  readonly pid: number | undefined;
  /** Host and port. */
  readonly address: string;
}

interface MonitorOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** A command that runs the program as its last arguments. Default: none. */
  readonly within?: readonly [string, ...string[]];
}

/** Starts a server of the monitoring; resolves when it answers. */
export async function startMonitor(
  name: MonitoringProgram,
  { args = [], environment = {}, folder, within }: MonitorOptions = {},
): Promise<Monitor> {
  const program = await findProgram(name);
  const address = `127.0.0.1:${await freePort()}`;
  const [command, ...before] = [...(within ?? []), program.command] as [string, ...string[]];
  const child = spawn(command, [...before, ...args, `--web.listen-address=${address}`], {
    cwd: folder,
    env: { ...process.env, ...program.env, ...environment },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`${name} ended with code ${code}`);
  });
  ended.catch(() => undefined);
  const answers = async () => (await fetch(`http://${address}/metrics`)).ok;
  await Promise.race([ended, until(answers, { what: name })]);
  return {
    pid: child.pid,
    address,
    async [Symbol.asyncDispose]() {
      // What runs a program in a namespace of its own passes no other signal on.
      child.kill(within ? 'SIGKILL' : 'SIGTERM');
      await exited;
    },
  };
}
