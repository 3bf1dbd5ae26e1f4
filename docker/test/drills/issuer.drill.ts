import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Authority,
  createTestDatabase,
  type GatewayProcess,
  type RedisTestServer,
  runGateway,
  startRedisServer,
  type TestDatabase,
  until,
} from '@solegate/testkit';
import { environmentOf, type GatewaySettings, startComposedGateway } from '../composed-gateway.js';
import { expectPromisesKept } from '../expect-promises-kept.js';
import { FleetLoad, prepareFleet } from '../fleet-load.js';
import { migrateForRuntime } from '../migrated-database.js';
import { type NginxServer, startNginx } from '../nginx-server.js';
import { codeOfRow, pageText } from '../operations-page.js';
import { RetryingClient } from '../retrying-client.js';

/*
 * Follows what docs/operations/secure.md says of JWT_JWKS_URL, under load of all three promises: an issuer behind an authority of its
 * own changes its key, is away for a while, and withdraws a key. Its tokens name no key, which only the page's five minutes allow.
 * It takes a quarter of an hour.
 */

const PAGE = 'secure.md';
const IDS = 'mutation { generateTsids(count: 1) { __typename } }';

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2_048 });
const [first, second] = [keyPair(), keyPair()];

let authority: Authority;
let issuer: Server;
let port: number;
let published: readonly KeyObject[] = [first.publicKey];
/** How often gateways have fetched the keys since they were changed. */
let fetchCount = 0;
let database: TestDatabase;
let redis: RedisTestServer;
let settings: GatewaySettings;
let gateways: GatewayProcess[];
let nginx: NginxServer;
let client: RetryingClient;
let load: FleetLoad;

beforeAll(async () => {
  authority = await Authority.make();
  issuer = createServer(await authority.certify('DNS:localhost'), (_request, response) => {
    fetchCount += 1;
    const keys = published.map((key) => ({ ...key.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }));
    response.setHeader('connection', 'close').end(JSON.stringify({ keys }));
  });
  await listen(0);
  ({ port } = issuer.address() as AddressInfo);
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  const [trusting = ''] = codeOfRow(
    PAGE,
    'a token issuer (`JWT_JWKS_URL`) with your own certificate authority',
  );
  expect(trusting).toBe('NODE_EXTRA_CA_CERTS=/run/secrets/ca.crt');
  settings = {
    databaseUrl: await migrateForRuntime(database),
    redisUrl: redis.url,
    jwtSecret: '',
    others: {
      JWT_ALGORITHMS: 'RS256',
      JWT_JWKS_URL: `https://localhost:${port}/keys`,
      [trusting.split('=')[0] ?? '']: authority.certFile,
    },
  };
  gateways = await Promise.all([startComposedGateway(settings), startComposedGateway(settings)]);
  nginx = await startNginx(gateways.map((gateway) => gateway.port));
  client = new RetryingClient(nginx.url, first.privateKey);
  await prepareFleet(client);
  load = new FleetLoad(client);
  load.start();
  await load.untilAnswered(60);
});

afterAll(async () => {
  await load?.stop();
  await nginx?.stop();
  for (const gateway of gateways ?? []) await gateway[Symbol.asyncDispose]();
  await redis?.stop();
  await database?.drop();
  issuer?.close();
  await authority?.[Symbol.asyncDispose]();
});

const listen = (at: number) =>
  new Promise<void>((resolve) => {
    issuer.listen(at, '127.0.0.1', resolve);
  });

/** Publishes these keys. Resolves when each gateway has them, five minutes later. */
async function publish(keys: readonly KeyObject[]): Promise<void> {
  published = keys;
  fetchCount = 0;
  const areFetched = () => fetchCount >= gateways.length || load.record.failures.length > 0;
  await until(areFetched, { timeoutMs: 330_000, intervalMs: 250, what: 'gateways that fetch the keys anew' });
  await load.untilAnswered(60);
}

/** How a start ends with other settings. */
const refused = (others: Readonly<Record<string, string>>) =>
  runGateway({
    environment: environmentOf({ ...settings, others: { ...settings.others, ...others } }),
    command: ['serve'],
  });

test('an issuer of an unknown authority ends the start', async () => {
  const { exitCode, output } = await refused({ NODE_EXTRA_CA_CERTS: '' });
  expect([exitCode, output]).toEqual([
    1,
    expect.stringMatching(/JWT_JWKS_URL: no keys can be fetched .*certificate/),
  ]);
});

test('a new key signs after five minutes, beside the old one', async () => {
  expect(pageText(PAGE)).toContain('add the new key to the set, sign with it after five minutes');
  await publish([first.publicKey, second.publicKey]);
  client.signWith(second.privateKey);
  await load.untilAnswered(60);
  const late = new RetryingClient(nginx.url, first.privateKey);
  await late.ask(await late.tokenFor(2n, ['clerk']), IDS);
}, 600_000);

test('while the issuer is away, gateways go on with the keys that they have, and none starts', async () => {
  issuer.close();
  await load.untilAnswered(100);
  const { exitCode, output } = await refused({});
  expect([exitCode, output]).toEqual([1, expect.stringContaining('or start again when the issuer answers')]);
  await listen(port);
});

test('a removed key is refused', async () => {
  await publish([second.publicKey]);
  const late = new RetryingClient(nginx.url, first.privateKey);
  await expect(late.ask(await late.tokenFor(2n, ['clerk']), IDS)).rejects.toThrow('UNAUTHENTICATED');
}, 600_000);

test('no promise was broken', async () => {
  expectPromisesKept(await load.stop());
});
