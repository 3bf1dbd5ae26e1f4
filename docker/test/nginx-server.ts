import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@solegate/local-services';
import { until } from '@solegate/testkit';

import { readText } from './deployment-files.js';
import { findNginx } from './nginx-program.js';

/** nginx on a free loopback port, with the configuration of this folder. */
export interface NginxServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Its access log and error log. */
  log(): Promise<string>;
  /** Reloads it with only these of its gateways, as an active health check would. */
  forwardTo(gatewayPorts: readonly number[]): Promise<void>;
  /** Reloads it with another certificate, for TLS. */
  renew(certificate: { readonly cert: string; readonly key: string }): Promise<void>;
  stop(): Promise<void>;
}

export interface NginxOptions {
  /** Lines that a test removes from nginx.conf, to show their effect. */
  readonly change?: (configuration: string) => string;
  /** If given, nginx uses TLS as in listen.tls.conf; PEM. */
  readonly tls?: { readonly ca: string; readonly cert: string; readonly key: string };
}

/** nginx checks its configuration, then runs until the pipe to this process closes, however this process ends. */
const GUARD = `
"$@" -t || exit 1
"$@" -g 'daemon off;' & server=$!
(cat >/dev/null; kill -TERM $server 2>/dev/null) <&3 &
wait $server`;

/**
 * Starts nginx as the compose file does (`nginx -p … -c … -g 'daemon off;'`) in front of gateways on these ports. Two
 * things are replaced: the port in listen.conf, and the service name in upstream.conf, by the addresses that Docker
 * would return; the parameters of its `server` line are kept.
 */
export async function startNginx(
  gatewayPorts: readonly number[],
  { change = (configuration) => configuration, tls }: NginxOptions = {},
): Promise<NginxServer> {
  const program = await findNginx();
  const port = await freePort();
  const prefix = await writeConfiguration(port, gatewayPorts, { change, tls });
  const log = openSync(join(prefix, 'log'), 'a');
  const nginx = [program.command, '-p', `${prefix}/`, '-c', join(prefix, 'nginx.conf')];
  const child = spawn('/bin/sh', ['-c', GUARD, 'guard', ...nginx], {
    env: { PATH: process.env.PATH, ...program.env },
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  const exited = once(child, 'exit');
  const reload = async () => {
    const [command = '', ...args] = nginx;
    await promisify(execFile)(command, [...args, '-s', 'reload'], {
      env: { PATH: process.env.PATH, ...program.env },
    });
  };
  const server = {
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    port,
    log: () => readFile(join(prefix, 'log'), 'utf8'),
    async forwardTo(live: readonly number[]) {
      await writeUpstream(prefix, gatewayPorts, (gatewayPort) => !live.includes(gatewayPort));
      await reload();
    },
    async renew(certificate: { readonly cert: string; readonly key: string }) {
      await writeCertificate(prefix, certificate);
      await reload();
    },
    async stop() {
      child.stdio[3]?.destroy();
      await exited;
      await rm(prefix, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
  const ended = exited.then(async () => {
    throw new Error(`nginx ended: ${await server.log()}`);
  });
  ended.catch(() => undefined);
  await Promise.race([ended, until(() => answers(`${server.url}/balancer`, tls?.ca), { what: 'nginx' })]);
  return server;
}

async function writeConfiguration(
  port: number,
  gatewayPorts: readonly number[],
  {
    change,
    tls,
  }: { readonly change: (configuration: string) => string; readonly tls: NginxOptions['tls'] | undefined },
): Promise<string> {
  const prefix = await mkdtemp(join(tmpdir(), 'solegate-nginx-'));
  // Started by root, nginx runs its workers as another user, who needs access to the folders for request bodies.
  await chmod(prefix, 0o755);
  await writeUpstream(prefix, gatewayPorts, () => false);
  const listen = readText(tls ? 'listen.tls.conf' : 'listen.conf');
  await writeFile(join(prefix, 'listen.conf'), listen.replace('listen 8080', `listen 127.0.0.1:${port}`));
  if (tls) await writeCertificate(prefix, tls);
  await writeFile(join(prefix, 'nginx.conf'), change(readText('nginx.conf')));
  return prefix;
}

async function writeCertificate(
  prefix: string,
  { cert, key }: { readonly cert: string; readonly key: string },
): Promise<void> {
  await writeFile(join(prefix, 'tls.crt'), cert);
  await writeFile(join(prefix, 'tls.key'), key, { mode: 0o600 });
}

async function writeUpstream(prefix: string, ports: readonly number[], isOut: (port: number) => boolean) {
  const [, parameters = ''] = /^server gateway:4000 resolve (.*);$/m.exec(readText('upstream.conf')) ?? [];
  const servers = ports.map(
    (port) => `server 127.0.0.1:${port} ${parameters}${isOut(port) ? ' down' : ''};\n`,
  );
  await writeFile(join(prefix, 'upstream.conf'), servers.join(''));
}

function answers(url: string, ca: string | undefined): Promise<boolean> {
  if (ca === undefined) return fetch(url).then(({ ok }) => ok);
  return new Promise((resolve, reject) => {
    get(url, { ca }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', reject);
  });
}
