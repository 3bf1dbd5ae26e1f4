import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { jestPreset } from '@solegate/testkit/jest-preset';

const HOST = fileURLToPath(new URL('./gateway-host.ts', import.meta.url));

/**
 * Runs once before Jest: starts the stores, and a listener whose port is in SOLEGATE_GATEWAY_HOSTS. A worker sends it its
 * ID and gets the port of its own gateway host, which the first request starts. The hosts exit with this process.
 */
// biome-ignore lint/style/noDefaultExport: Jest requires it
export default async function setUp(...configuration) {
  const { default: startServers } = await import(jestPreset().globalSetup);
  await startServers(...configuration);
  const hosts = new Map();
  const listener = createServer((worker) => {
    worker.on('error', () => worker.destroy());
    createInterface({ input: worker }).once('line', (name) => {
      if (hosts.get(name)?.hasEnded() !== false) hosts.set(name, startHost());
      void hosts.get(name).port.then((port) => worker.end(port));
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  listener.unref();
  process.env.SOLEGATE_GATEWAY_HOSTS = String(listener.address().port);
}

function startHost() {
  const child = spawn(
    process.execPath,
    ['--conditions=@solegate/source', '--import', import.meta.resolve('tsx'), HOST],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  child.stdin.on('error', () => {});
  const ended = once(child, 'exit').then(() => '');
  const line = once(createInterface({ input: child.stdout }), 'line').then(([port]) => port);
  return {
    port: Promise.race([line, ended]),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  };
}
