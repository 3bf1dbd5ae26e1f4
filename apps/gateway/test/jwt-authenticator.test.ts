import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { readConfig } from '../src/config.js';
import { createAuthenticator } from '../src/identity/create-authenticator.js';
import type { Authenticate } from '../src/identity/identity.js';
import { createJwtAuthenticator } from '../src/identity/jwt-authenticator.js';
import { JWT_ENVIRONMENT, type TokenFacts, tokenOf } from './tokens.js';

const authenticatorOf = (environment: Record<string, string>): Promise<Authenticate> =>
  createAuthenticator(readConfig({ NODE_ENV: 'test', ...environment }).identity);
const authorization = (token: string) => ({ authorization: `Bearer ${token}`, demoUser: undefined });

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

/** Each token is a new one, which no cache has. */
async function signed(algorithm: string, { privateKey }: KeyPair, kid?: string): Promise<string> {
  return new SignJWT({ roles: ['driver'] })
    .setProtectedHeader({ alg: algorithm, ...(kid && { kid }) })
    .setJti(randomUUID())
    .setSubject('7')
    .setIssuer('https://issuer.test')
    .setAudience('solegate')
    .setExpirationTime('5m')
    .sign(privateKey);
}

const PUBLIC: Record<string, string> = {
  AUTH_MODE: 'jwt',
  JWT_ISSUER: 'https://issuer.test',
  JWT_AUDIENCE: 'solegate',
};

describe('a shared secret', () => {
  test('the subject and the known roles are taken from the token', async () => {
    const authenticate = await authenticatorOf({ ...JWT_ENVIRONMENT, NODE_ENV: 'test' });
    const token = await tokenOf({ subject: '911811146221092864', roles: ['driver', 'emperor'] });
    const identity = await authenticate(authorization(token));
    expect(identity.subjectId).toBe(911811146221092864n);
    expect([...identity.roles]).toEqual(['driver']);
  });

  test('projects come from the token; a star, or the role admin, means all', async () => {
    const authenticate = await authenticatorOf({ ...JWT_ENVIRONMENT, NODE_ENV: 'test' });
    const projectsOf = async (facts: TokenFacts) =>
      (await authenticate(authorization(await tokenOf({ roles: ['clerk'], ...facts })))).projects;
    expect(await projectsOf({ projects: ['ONE', 'E\u0301'] })).toEqual(new Set(['ONE', '\u00C9']));
    expect(await projectsOf({ projects: [] })).toEqual(new Set());
    expect(await projectsOf({})).toBe('ALL');
    expect(await projectsOf({ projects: [], roles: ['admin'] })).toBe('ALL');
  });

  test('a token of the previous secret is valid beside the current one, and no other', async () => {
    const next = 'fedcba9876543210-of-the-next-secret';
    const previous = JWT_ENVIRONMENT.JWT_SECRET ?? '';
    const rotated = { ...JWT_ENVIRONMENT, NODE_ENV: 'test', JWT_SECRET: next };
    const token = authorization(await tokenOf({ subject: '7' }));
    const both = await authenticatorOf({ ...rotated, JWT_SECRET_PREVIOUS: previous });
    expect((await both(token)).subjectId).toBe(7n);
    const alone = await authenticatorOf(rotated);
    await expect(async () => alone(token)).rejects.toMatchObject({ reason: 'TOKEN_INVALID' });
    const before = await authenticatorOf({ ...JWT_ENVIRONMENT, NODE_ENV: 'test', JWT_SECRET_PREVIOUS: next });
    expect((await before(token)).subjectId).toBe(7n);
  });

  test('the scheme is read in any case', async () => {
    const authenticate = await authenticatorOf({ ...JWT_ENVIRONMENT, NODE_ENV: 'test' });
    const token = await tokenOf({ subject: '7' });
    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      const { subjectId } = await authenticate({ authorization: `${scheme} ${token}`, demoUser: undefined });
      expect(subjectId).toBe(7n);
    }
    for (const authorization of [token, `Basic ${token}`, `Bearer${token}`, `Bearer ${token} x`]) {
      expect(() => authenticate({ authorization, demoUser: undefined })).toThrow('Send a token');
    }
  });

  test('the name is one line of at most 200 characters', async () => {
    const authenticate = await authenticatorOf({ ...JWT_ENVIRONMENT, NODE_ENV: 'test' });
    const nameOf = async (name: unknown) => (await authenticate(authorization(await tokenOf({ name })))).name;
    expect(await nameOf(' Malee\u0000\n Suk ')).toBe('Malee Suk');
    expect(await nameOf('\u{1F642}'.repeat(300))).toBe('\u{1F642}'.repeat(200));
    for (const none of [undefined, null, 7, '', ' \t', ['Malee']]) expect(await nameOf(none)).toBeUndefined();
  });

  test('a valid token is cached for a minute, and never beyond its expiry', async () => {
    const { identity: config } = readConfig({ ...JWT_ENVIRONMENT, NODE_ENV: 'test' });
    if (config.mode !== 'jwt') throw new Error('not reached');
    const clock = manualClock(Date.now());
    const authenticate = await createJwtAuthenticator(config, () => clock.now());
    const token = await tokenOf({ expiresInS: 30 });
    expect(authenticate(authorization(token))).toBeInstanceOf(Promise);
    await authenticate(authorization(token));
    expect(authenticate(authorization(token))).not.toBeInstanceOf(Promise);
    clock.advance(31_000);
    expect(authenticate(authorization(token))).toBeInstanceOf(Promise);
    clock.advance(10_000);
    await expect(authenticate(authorization(token))).rejects.toMatchObject({ reason: 'TOKEN_EXPIRED' });
  });
});

describe.each(['RS256', 'EdDSA'])('a public key (%s)', (algorithm) => {
  test('is accepted with its own algorithm and no other', async () => {
    const pair = await generateKeyPair(algorithm, { extractable: true });
    const pem = await exportSPKI(pair.publicKey);
    const authenticate = await authenticatorOf({
      ...PUBLIC,
      JWT_ALGORITHMS: algorithm,
      JWT_PUBLIC_KEY: pem,
    });
    expect((await authenticate(authorization(await signed(algorithm, pair)))).subjectId).toBe(7n);

    const other = await generateKeyPair(algorithm);
    await expect(authenticate(authorization(await signed(algorithm, other)))).rejects.toMatchObject({
      reason: 'TOKEN_INVALID',
    });
    const forged = await new SignJWT({ roles: ['admin'] })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('7')
      .setIssuer('https://issuer.test')
      .setAudience('solegate')
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(pem));
    await expect(authenticate(authorization(forged))).rejects.toMatchObject({ reason: 'TOKEN_INVALID' });
  });
});

describe('a key set that rotates', () => {
  let server: Server;
  let keys: JWK[] = [];
  let isAway = false;
  let url: string;
  let first: KeyPair;
  let second: KeyPair;

  beforeAll(async () => {
    [first, second] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
    server = createServer((_request, response) => {
      response.statusCode = isAway ? 503 : 200;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ keys }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  });

  afterAll(() => {
    server?.close();
  });

  const jwkOf = async ({ publicKey }: KeyPair, kid?: string): Promise<JWK> => ({
    ...(await exportJWK(publicKey)),
    ...(kid && { kid }),
    alg: 'RS256',
    use: 'sig',
  });
  const publish = async (pair: KeyPair, kid: string): Promise<void> => {
    keys = [await jwkOf(pair, kid)];
  };

  test('a published key is accepted; an unpublished one is not', async () => {
    await publish(first, 'one');
    const authenticate = await authenticatorOf({ ...PUBLIC, JWT_ALGORITHMS: 'RS256', JWT_JWKS_URL: url });
    expect((await authenticate(authorization(await signed('RS256', first, 'one')))).subjectId).toBe(7n);
    await expect(authenticate(authorization(await signed('RS256', second, 'two')))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  test('a new key is accepted without a restart', async () => {
    await publish(first, 'one');
    const authenticate = await authenticatorOf({ ...PUBLIC, JWT_ALGORITHMS: 'RS256', JWT_JWKS_URL: url });
    await publish(second, 'two');
    // An unknown key is looked for every five seconds at most.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 6_000);
    try {
      expect((await authenticate(authorization(await signed('RS256', second, 'two')))).subjectId).toBe(7n);
    } finally {
      clock.mockRestore();
    }
  });

  test.each([
    ['that tokens name', 'one', 'two'],
    ['without names', undefined, undefined],
  ])('a set has both keys %s until the old one is removed', async (_what, one, two) => {
    const verify = async (pair: KeyPair, kid?: string) =>
      (await authenticate(authorization(await signed('RS256', pair, kid)))).subjectId;
    keys = [await jwkOf(first, one)];
    const authenticate = await authenticatorOf({ ...PUBLIC, JWT_ALGORITHMS: 'RS256', JWT_JWKS_URL: url });
    const beganAtMs = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(beganAtMs + 301_000);
    try {
      keys = [await jwkOf(first, one), await jwkOf(second, two)];
      expect(await Promise.all([verify(first, one), verify(second, two)])).toEqual([7n, 7n]);
      keys = [await jwkOf(second, two)];
      clock.mockReturnValue(beganAtMs + 602_000);
      expect(await verify(second, two)).toBe(7n);
      await expect(verify(first, one)).rejects.toMatchObject({ reason: 'TOKEN_INVALID' });
    } finally {
      clock.mockRestore();
    }
  });

  test('without the issuer, its keys are used for five minutes, and again when it answers', async () => {
    await publish(first, 'one');
    const authenticate = await authenticatorOf({ ...PUBLIC, JWT_ALGORITHMS: 'RS256', JWT_JWKS_URL: url });
    const verify = async () => authenticate(authorization(await signed('RS256', first, 'one')));
    isAway = true;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 290_000);
    try {
      expect((await verify()).subjectId).toBe(7n);
      clock.mockReturnValue(Date.now() + 15_000);
      await expect(verify()).rejects.toMatchObject({ reason: 'KEYS_UNAVAILABLE', retryable: true });
      isAway = false;
      expect((await verify()).subjectId).toBe(7n);
    } finally {
      clock.mockRestore();
      isAway = false;
    }
  });

  test('a key set that is away later is reported as unavailable, not as an invalid token', async () => {
    await publish(first, 'one');
    const authenticate = await authenticatorOf({ ...PUBLIC, JWT_ALGORITHMS: 'RS256', JWT_JWKS_URL: url });
    isAway = true;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 6_000);
    try {
      expect((await authenticate(authorization(await signed('RS256', first, 'one')))).subjectId).toBe(7n);
      const unknown = authorization(await signed('RS256', second, 'two'));
      await expect(authenticate(unknown)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        reason: 'KEYS_UNAVAILABLE',
        retryable: true,
      });
    } finally {
      clock.mockRestore();
      isAway = false;
    }
  });

  test('a key that is too short, published later, verifies nothing, and nobody is told to try again', async () => {
    await publish(first, 'one');
    const authenticate = await authenticatorOf({ ...PUBLIC, JWT_ALGORITHMS: 'RS256', JWT_JWKS_URL: url });
    keys = [...keys, { ...shortKey(), kid: 'two', alg: 'RS256', use: 'sig' }];
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 6_000);
    try {
      const token = await signed('RS256', first, 'two');
      await expect(authenticate(authorization(token))).rejects.toMatchObject({ reason: 'TOKEN_INVALID' });
    } finally {
      clock.mockRestore();
    }
  });

  describe('stops the start', () => {
    const start = (address = url) =>
      authenticatorOf({ ...PUBLIC, JWT_ALGORITHMS: 'RS256', JWT_JWKS_URL: address });

    test('if it cannot be reached, or is none', async () => {
      await expect(start('http://127.0.0.1:1/keys')).rejects.toMatchObject({
        code: 'CONFIGURATION',
        faults: [
          expect.stringMatching(/^JWT_JWKS_URL: no keys can be fetched \(.*; correct it, or start again/),
        ],
      });
      isAway = true;
      await expect(start()).rejects.toThrow('Expected 200 OK');
      isAway = false;
    });

    test('if none of its keys can verify a token', async () => {
      keys = [];
      await expect(start()).rejects.toThrow('no key for RS256: it is empty');
      keys = [await exportJWK((await generateKeyPair('EdDSA', { extractable: true })).publicKey)];
      await expect(start()).rejects.toThrow('RS256 needs a key of type rsa, but this one is ed25519');
      keys = [shortKey()];
      await expect(start()).rejects.toThrow('at least 2048 bits, but this one has 1024');
      keys = [{ kty: 'RSA' }];
      await expect(start()).rejects.toThrow('a key cannot be read');
    });
  });
});

function shortKey(): JWK {
  return generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' }) as JWK;
}
