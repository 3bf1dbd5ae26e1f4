import { expect, test } from '@jest/globals';
import { freePort } from '@solegate/local-services';
import { gatewayOfFile, startTestGateway } from './gateway-fixture.js';

/** `METRICS_PORT` separates metrics from the users' port. For several workers, see workers.e2e.test.ts. */
const metricsPort = await freePort();
const gateway = gatewayOfFile({ METRICS_PORT: String(metricsPort) });

async function statusOf(port: number, path: string): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
}

test('metrics are served only on their port, and nothing else is served there', async () => {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/^solegate_gateway_ready\{part="gateway"\} 1$/m);
  expect(await statusOf(gateway.port, '/metrics')).toBe(404);
  expect(await statusOf(gateway.port, '/health/ready')).toBe(200);
  for (const path of ['/', '/graphql', '/health/ready', '/health/live']) {
    expect([path, await statusOf(metricsPort, path)]).toEqual([path, 404]);
  }
});

test('a start fails if the metrics port is in use, and leaves no port open', async () => {
  const port = String(await freePort());
  const start = (metrics: number) =>
    startTestGateway(gateway.stores, { PORT: port, METRICS_PORT: String(metrics) });
  await expect(start(metricsPort)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const other = await start(await freePort());
  expect(String(other.port)).toBe(port);
  await other.stop();
});
