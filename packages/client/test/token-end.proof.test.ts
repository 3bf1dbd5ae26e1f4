import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayProcess, startGatewayWithStores, until } from '@solegate/testkit';
import { WebSocket } from 'ws';
import { type Client, createClient, RefusedError } from '../src/index.js';
import { webSockets } from '../src/websocket/index.js';

/** A production gateway ends a subscription when its token expires. */
const JWT_SECRET = 'a secret of the tests, longer than 32 characters';
const ENVIRONMENT = {
  NODE_ENV: 'production',
  AUTH_MODE: 'jwt',
  JWT_ALGORITHMS: 'HS256',
  JWT_ISSUER: 'https://issuer.test',
  JWT_AUDIENCE: 'solegate',
  JWT_SECRET,
};
const CHANNELS = [
  ['server-sent events', () => ({})],
  ['a WebSocket', () => ({ webSocket: webSockets({ implementation: WebSocket }) })],
] as const;
let gateway: GatewayProcess;
let client: Client;

beforeAll(async () => {
  gateway = await startGatewayWithStores(ENVIRONMENT);
  client = createClient({ url: gateway.url, token: tokenFor(600) });
});

afterAll(async () => {
  await client?.close();
  await gateway?.[Symbol.asyncDispose]();
});

function tokenFor(seconds: number): string {
  const nowS = Math.floor(Date.now() / 1_000);
  const claims = {
    sub: '1',
    roles: ['rider'],
    iss: ENVIRONMENT.JWT_ISSUER,
    aud: ENVIRONMENT.JWT_AUDIENCE,
    iat: nowS - 60,
    exp: nowS + seconds,
  };
  const parts = [{ alg: 'HS256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = createHmac('sha256', JWT_SECRET).update(parts.join('.')).digest('base64url');
  return `${parts.join('.')}.${signature}`;
}

test.each(CHANNELS)(
  'a subscription over %s outlives its token if the client gets a new one',
  async (_name, channel) => {
    const trip = await client.requestTrip({ input: {} });
    let askedCount = 0;
    const token = (): string => {
      askedCount += 1;
      return tokenFor(askedCount === 1 ? 2 : 600);
    };
    await using watcher = createClient({ url: gateway.url, token, retry: { baseMs: 10 }, ...channel() });
    let reconnectCount = 0;
    const onReconnect = (): void => {
      reconnectCount += 1;
    };
    const seen: number[] = [];
    const watch = async (): Promise<void> => {
      const watched = { tripId: trip.id, afterRevision: 0 };
      for await (const { revision } of watcher.tripUpdated(watched, { onReconnect })) seen.push(revision);
    };
    const ended = watch();
    await until(() => reconnectCount === 1);
    await client.cancelTrip({ input: { tripId: trip.id } });
    await ended;
    expect(seen).toEqual([1, 2]);
  },
);

test.each(CHANNELS)('a subscription over %s with an expired token is refused', async (_name, channel) => {
  await using watcher = createClient({ url: gateway.url, token: tokenFor(-10), ...channel() });
  const error: unknown = await watcher
    .documentNumberIssued()
    .next()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({ code: 'UNAUTHENTICATED', operation: 'documentNumberIssued' });
});
