import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Authority,
  type Certificate,
  freePort,
  startRedisServer,
  startSentinelServer,
  until,
} from '@solegate/testkit';
import { connectRedis, openRedis, type RedisTlsOptions } from '../src/index.js';

let authority: Authority;
let server: Certificate;
let client: Certificate;

beforeAll(async () => {
  authority = await Authority.make();
  // For a host name only, as certificates of managed services are.
  server = await authority.certify('DNS:localhost');
  client = await authority.certify('DNS:client');
});

afterAll(() => authority[Symbol.asyncDispose]());

async function startTls(options: { certificate?: Certificate; asksClients?: boolean; args?: string[] } = {}) {
  const port = await freePort();
  const { certificate = server, asksClients, args = [] } = options;
  const redis = await startRedisServer({
    persistence: 'none',
    args: [...authority.redisArguments(port, certificate, asksClients), ...args],
  });
  return { redis, port };
}

async function expectAnswer(url: string, tls: RedisTlsOptions): Promise<void> {
  const connection = await openRedis({ url, tls, purpose: 'background' });
  try {
    expect(await connection.set('greeting', 'hello')).toBe('OK');
    expect(await connection.get('greeting')).toBe('hello');
  } finally {
    connection.disconnect();
  }
}

describe('TLS with a private authority and certificates for host names', () => {
  test('one server, with and without a client certificate', async () => {
    for (const asksClients of [false, true]) {
      const { redis, port } = await startTls({ asksClients });
      await using _redis = redis;
      const own = asksClients ? { cert: client.cert, key: client.key } : {};
      await expectAnswer(`rediss://localhost:${port}`, { ca: authority.cert, ...own });
      // By address, with the name in the certificate as the server name.
      await expectAnswer(`rediss://127.0.0.1:${port}`, {
        ca: [authority.cert],
        servername: 'localhost',
        ...own,
      });
    }
  });

  test('a cluster that announces its nodes by name', async () => {
    const { redis, port } = await startTls({
      asksClients: true,
      args: [
        '--cluster-enabled',
        'yes',
        '--cluster-announce-hostname',
        'localhost',
        '--cluster-preferred-endpoint-type',
        'hostname',
        '--tls-cluster',
        'yes',
      ],
    });
    await using _redis = redis;
    const admin = connectRedis({ url: redis.url, purpose: 'background' });
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await until(async () => String(await admin.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    admin.disconnect();
    const tls = { ca: authority.cert, cert: client.cert, key: client.key };
    await expectAnswer(`rediss+cluster://localhost:${port}`, tls);
    // Each subscriber picks one node.
    const subscriber = await openRedis({
      url: `rediss+cluster://localhost:${port}`,
      tls,
      purpose: 'subscriber',
    });
    expect(await subscriber.subscribe('news')).toBe(1);
    subscriber.disconnect();
  });

  test.each([
    ['without', false],
    ['with', true],
  ])('Sentinel, itself over TLS, %s client certificates', async (_name, asksClients) => {
    const { redis, port } = await startTls({ asksClients });
    await using _redis = redis;
    const sentinelPort = await freePort();
    await using _sentinel = await startSentinelServer([
      `tls-port ${sentinelPort}`,
      `tls-cert-file ${server.certFile}`,
      `tls-key-file ${server.keyFile}`,
      `tls-ca-cert-file ${authority.certFile}`,
      `tls-auth-clients ${asksClients ? 'yes' : 'no'}`,
      'tls-replication yes',
      'sentinel resolve-hostnames yes',
      'sentinel announce-hostnames yes',
      `sentinel monitor main localhost ${port} 1`,
    ]);
    const url = `rediss+sentinel://localhost:${sentinelPort}/main`;
    const known = { ca: authority.cert };
    await expectAnswer(url, asksClients ? { ...known, cert: client.cert, key: client.key } : known);
    if (asksClients)
      await expect(expectAnswer(url, known)).rejects.toMatchObject({ code: 'REDIS_UNAVAILABLE' });
  });
});

describe('the advice of openRedis when TLS does not work', () => {
  interface Fault {
    readonly start?: () => ReturnType<typeof startTls>;
    readonly url?: (port: number, plainPort: number) => string;
    readonly tls?: () => RedisTlsOptions;
    readonly advice: RegExp;
  }

  const known = () => ({ ca: authority.cert });

  const faults: Readonly<Record<string, Fault>> = {
    'an authority that is not known': { tls: () => ({}), advice: /pass the authority as tls\.ca/ },
    'a certificate for another name': {
      url: (port) => `rediss://127.0.0.1:${port}`,
      advice: /tls\.servername/,
    },
    'a certificate that has expired': {
      start: async () => startTls({ certificate: await authority.certify('DNS:localhost', -1) }),
      advice: /Renew the server's certificate/,
    },
    'a server that asks for a client certificate': {
      start: () => startTls({ asksClients: true }),
      advice: /It requires a client certificate that it trusts: pass tls\.cert and tls\.key/,
    },
    'a port that speaks no TLS': {
      url: (_port, plainPort) => `rediss://localhost:${plainPort}`,
      advice: /Check that this port speaks TLS/,
    },
  };

  test.each(Object.entries(faults))('%s', async (_name, { start = startTls, url, tls = known, advice }) => {
    const { redis, port } = await start();
    await using _redis = redis;
    const address = url?.(port, redis.port) ?? `rediss://localhost:${port}`;
    const opening = openRedis({ url: address, tls: tls(), purpose: 'background' });
    await expect(opening).rejects.toMatchObject({
      code: 'REDIS_UNAVAILABLE',
      message: expect.stringMatching(advice),
    });
  });

  test('a cluster gives the same advice as one server', async () => {
    const { redis, port } = await startTls({ args: ['--cluster-enabled', 'yes', '--tls-cluster', 'yes'] });
    await using _redis = redis;
    const opening = openRedis({ url: `rediss+cluster://localhost:${port}`, purpose: 'background' });
    await expect(opening).rejects.toThrow(/pass the authority as tls\.ca/);
  });

  test('`tls` with a URL without TLS is refused before a connection is opened', () => {
    const open = () => connectRedis({ url: 'redis://localhost', tls: known(), purpose: 'background' });
    expect(open).toThrow(/does not begin with rediss/);
  });
});
