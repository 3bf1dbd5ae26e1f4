import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Authority,
  type Certificate,
  freePort,
  type PostgresTestServer,
  type RedisTestServer,
  startPostgresServer,
  startRedisServer,
  until,
} from '@solegate/testkit';
import { asRuntimeRole, startTestGateway, type TestGateway } from './gateway-fixture.js';

/** How a gateway reports faulty certificates: at its start, and in readiness after a replacement at run time. */

let authority: Authority;
let other: Authority;
let good: Certificate;
let expired: Certificate;
let misnamed: Certificate;
let postgres: PostgresTestServer;
let redis: RedisTestServer;
let redisPort: number;
let databaseUrl: string;

beforeAll(async () => {
  [authority, other] = await Promise.all([Authority.make(), Authority.make()]);
  good = await authority.certify('DNS:localhost');
  expired = await authority.certify('DNS:localhost', -1);
  misnamed = await authority.certify('DNS:elsewhere.test');
  redisPort = await freePort();
  [postgres, redis] = await Promise.all([
    startPostgresServer(),
    startRedisServer({ args: authority.redisArguments(redisPort, good) }),
  ]);
  await postgres.serveTls(good);
  databaseUrl = await asRuntimeRole(postgres.url);
});

afterAll(async () => {
  await Promise.all([postgres?.stop(), redis?.stop()]);
  await Promise.all([authority?.[Symbol.asyncDispose](), other?.[Symbol.asyncDispose]()]);
});

const postgresOverTls = (caFile: string, host = 'localhost'): string => {
  const url = new URL(databaseUrl);
  url.hostname = host;
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', caFile);
  return url.href;
};
const redisOverTls = (caFile: string): string => `rediss://localhost:${redisPort}?sslrootcert=${caFile}`;

async function redisShows({ certFile, keyFile }: Certificate): Promise<void> {
  const client = redis.client();
  await client.call('CONFIG', 'SET', 'tls-cert-file', certFile, 'tls-key-file', keyFile);
}

const known = () => ({
  databaseUrl: postgresOverTls(authority.certFile),
  redisUrl: redisOverTls(authority.certFile),
});

describe('at the start', () => {
  test('a gateway uses both stores over TLS with a private authority', async () => {
    const gateway = await startTestGateway(known());
    const { rows } = await postgres.pool.query(
      `SELECT bool_and(ssl) AS encrypted, count(*) > 0 AS there FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE application_name = 'solegate'`,
    );
    expect(rows).toEqual([{ encrypted: true, there: true }]);
    const { status } = await gateway.ask(
      'mutation { generateTsids(count: 1) { ... on TsidsGenerated { ids } } }',
    );
    expect(status).toBe(200);
    await gateway.stop();
  });

  test.each([
    [
      'a certificate from an unknown authority',
      () => postgresOverTls(other.certFile),
      () => good,
      /from an unknown authority.*sslrootcert/,
    ],
    [
      'an expired certificate',
      () => postgresOverTls(authority.certFile),
      () => expired,
      /an expired certificate.*Renew/,
    ],
    [
      'a certificate for another host name',
      () => postgresOverTls(authority.certFile),
      () => misnamed,
      /certificate for other host names.*as the host/,
    ],
  ])('PostgreSQL with %s is refused', async (_what, url, certificate, says) => {
    await postgres.serveTls(certificate());
    try {
      await expect(startTestGateway({ ...known(), databaseUrl: url() })).rejects.toMatchObject({
        code: 'DATABASE_UNREACHABLE',
        message: expect.stringMatching(says),
      });
    } finally {
      await postgres.serveTls(good);
    }
  });

  test.each([
    [
      'a certificate from an unknown authority',
      () => redisOverTls(other.certFile),
      () => good,
      /from an unknown authority.*sslrootcert/,
    ],
    [
      'an expired certificate',
      () => redisOverTls(authority.certFile),
      () => expired,
      /an expired certificate.*Renew/,
    ],
    [
      'a certificate for another host name',
      () => redisOverTls(authority.certFile),
      () => misnamed,
      /certificate for other host names.*as the host/,
    ],
  ])('Redis with %s is refused', async (_what, url, certificate, says) => {
    await redisShows(certificate());
    try {
      await expect(startTestGateway({ ...known(), redisUrl: url() })).rejects.toMatchObject({
        code: 'REDIS_UNAVAILABLE',
        message: expect.stringMatching(says),
      });
    } finally {
      await redisShows(good);
    }
  });

  test('the error names a missing certificate file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'solegate-tls-'));
    const missing = join(folder, 'ca.crt');
    await expect(startTestGateway({ ...known(), redisUrl: redisOverTls(missing) })).rejects.toThrow(
      /sslrootcert.*ca\.crt/,
    );
    await expect(startTestGateway({ ...known(), databaseUrl: postgresOverTls(missing) })).rejects.toThrow(
      /ca\.crt/,
    );
    await writeFile(missing, 'no certificate');
    await expect(startTestGateway({ ...known(), redisUrl: redisOverTls(missing) })).rejects.toThrow();
    await rm(folder, { recursive: true });
  });
});

describe('in readiness', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway(known());
  });

  afterAll(() => gateway?.stop());

  const away = async (): Promise<Record<string, string>> => {
    const response = await fetch(`${gateway.url}/health/ready`);
    const { away: parts = {} } = (await response.json()) as { away?: Record<string, string> };
    return parts;
  };

  test.each([
    ['an expired certificate', () => expired, 'presents an expired certificate'],
    ['a certificate for another host name', () => misnamed, 'presents a certificate for other host names'],
  ])('%s of either store is reported until it is replaced', async (_what, certificate, reason) => {
    await Promise.all([postgres.serveTls(certificate()), redisShows(certificate())]);
    await postgres.terminateBackends();
    await redis.client().call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await until(
      async () => {
        const { postgres: ofPostgres, redis: ofRedis } = await away();
        return ofPostgres === `PostgreSQL ${reason}` && ofRedis === `Redis ${reason}`;
      },
      { what: reason },
    );
    await Promise.all([postgres.serveTls(good), redisShows(good)]);
    await until(async () => Object.keys(await away()).length === 0, { what: 'ready again' });
  });
});
