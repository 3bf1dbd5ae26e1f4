import {
  createRemoteJWKSet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { JOSEError, JWKSMultipleMatchingKeys, JWSSignatureVerificationFailed, JWTExpired } from 'jose/errors';
import { ConfigurationError, type JwtConfig } from '../config.js';
import { GatewayError } from '../errors/gateway-error.js';
import { jwkProblem, readPublicKey } from '../public-key.js';
import { type Authenticate, type Identity, isRole, type Role } from './identity.js';

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;
const SUBJECT = /^(0|[1-9][0-9]{0,18})$/;
const SUBJECT_MAX = 2n ** 63n - 1n;
/** How long a verified token is cached, and therefore how long a withdrawn key stays usable; one of a set until that is fetched. */
const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 10_000;
const CLOCK_TOLERANCE_S = 5;
const NAME_LENGTH_MAX = 200;
/** jose's codes for a token that no key of the set fits; any other failure of a key set is about fetching it. */
const OF_TOKEN: ReadonlySet<string> = new Set([
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
  'ERR_JOSE_NOT_SUPPORTED',
]);

interface Remembered {
  readonly identity: Identity;
  readonly untilMs: number;
}

/**
 * Authenticates bearer tokens. Algorithms, issuer and audience come from the configuration, never from the token.
 * Verifying a signature costs about 0.1 ms, so valid tokens are cached until they expire, for at most one minute.
 *
 * @param now milliseconds since 1970
 * @param onVerified called with each identity that was not in the cache
 * @throws {ConfigurationError} if no key of the JWKS can be used, or none fetched
 */
export async function createJwtAuthenticator(
  config: JwtConfig,
  now: () => number,
  onVerified: (identity: Identity) => void = () => undefined,
): Promise<Authenticate> {
  const keys = await keysOf(config);
  const remembered = new Map<string, Remembered>();

  async function verify(token: string): Promise<Identity> {
    const payload = await payloadOf(token, keys, config, now);
    const identity = identityOf(payload);
    onVerified(identity);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(token, {
      identity,
      untilMs: Math.min(identity.expiresAtMs ?? 0, now() + REMEMBERED_MS),
    });
    return identity;
  }

  return ({ authorization }) => {
    const [, token] = BEARER.exec(authorization ?? '') ?? [];
    if (token === undefined) {
      throw refused('TOKEN_MISSING', 'Send a token in the header "Authorization: Bearer <token>".');
    }
    const known = remembered.get(token);
    if (known !== undefined && now() < known.untilMs) return known.identity;
    remembered.delete(token);
    return verify(token);
  };
}

/** The keys to try, one after the other. */
type Keys = readonly [JWTVerifyGetKey, ...JWTVerifyGetKey[]];

async function keysOf({ key, algorithms }: JwtConfig): Promise<Keys> {
  switch (key.kind) {
    case 'secret': {
      const { secret, previous } = key;
      return previous === undefined ? [async () => secret] : [async () => secret, async () => previous];
    }
    case 'publicKey': {
      const publicKey = readPublicKey(key.pem);
      return [async () => publicKey];
    }
    case 'jwks':
      return [await keySetOf(key.url, algorithms)];
  }
}

/**
 * Fetches the key set once before the start goes on: a gateway without keys would reject every token, and a rolling update
 * would replace working gateways by it.
 */
async function keySetOf(url: string, algorithms: JwtConfig['algorithms']): Promise<JWTVerifyGetKey> {
  const keySet = createRemoteJWKSet(new URL(url), {
    timeoutDuration: 3_000,
    cooldownDuration: 5_000,
    cacheMaxAge: 300_000,
  });
  await keySet.reload().catch((cause: Error) => {
    const reasons = [cause.cause, cause].map((error) => (error instanceof Error ? error.message : ''));
    throw unusableKeySet(
      `no keys can be fetched (${reasons.find(Boolean)}); correct it, or start again when the issuer answers`,
    );
  });
  const problems = (keySet.jwks()?.keys ?? []).map((jwk) =>
    algorithms.map((algorithm) => jwkProblem(jwk, algorithm)),
  );
  if (!problems.flat().includes(undefined)) {
    const details = [...new Set(problems.flat())].join('; ') || 'it is empty';
    throw unusableKeySet(`it has no key for ${algorithms.join(', ')}: ${details}`);
  }
  return (header, token) =>
    keySet(header, token).catch((cause: unknown) => {
      throw cause instanceof JOSEError && OF_TOKEN.has(cause.code) ? cause : keysUnavailable(cause);
    });
}

function unusableKeySet(problem: string): ConfigurationError {
  return new ConfigurationError([`JWT_JWKS_URL: ${problem}`]);
}

/** Verifies a token by the first key whose signature it has. @throws JOSEError */
async function verifiedBy(
  [key, ...others]: Keys,
  token: string,
  options: JWTVerifyOptions,
): Promise<{ readonly payload: JWTPayload }> {
  try {
    return await jwtVerify(token, key, options);
  } catch (cause) {
    // While a set rotates, a token that names no key fits several.
    if (cause instanceof JWKSMultipleMatchingKeys)
      for await (const fit of cause) others.push(async () => fit);
    else if (!(cause instanceof JWSSignatureVerificationFailed)) throw cause;
    const [next, ...rest] = others;
    if (next === undefined) throw cause;
    return verifiedBy([next, ...rest], token, options);
  }
}

async function payloadOf(
  token: string,
  keys: Keys,
  config: JwtConfig,
  now: () => number,
): Promise<JWTPayload> {
  try {
    const { payload } = await verifiedBy(keys, token, {
      algorithms: [...config.algorithms],
      issuer: config.issuer,
      audience: config.audience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(now()),
    });
    return payload;
  } catch (cause) {
    if (cause instanceof JWTExpired)
      throw refused('TOKEN_EXPIRED', 'The token has expired; obtain a new one.');
    if (cause instanceof GatewayError) throw cause;
    throw refused('TOKEN_INVALID', 'The token is not valid for this service; obtain one that is.', cause);
  }
}

function identityOf(payload: JWTPayload): Identity {
  const subject = payload.sub ?? '';
  if (!SUBJECT.test(subject) || BigInt(subject) > SUBJECT_MAX) {
    throw refused('TOKEN_SUBJECT', 'The token\'s "sub" must be a TSID in decimal digits.');
  }
  const roles = Array.isArray(payload.roles) ? payload.roles.filter(isRole) : [];
  return {
    subjectId: BigInt(subject),
    roles: new Set(roles),
    projects: projectsOf(payload.projects, roles),
    name: nameOf(payload.name),
    expiresAtMs: (payload.exp ?? 0) * 1_000,
  };
}

/** Reads the claim: a list of codes, or "*" for all. Administrators do not need it. */
function projectsOf(claim: unknown, roles: readonly Role[]): Identity['projects'] {
  if (roles.includes('admin') || claim === '*') return 'ALL';
  const codes: unknown[] = Array.isArray(claim) ? claim : [];
  return new Set(codes.filter((code) => typeof code === 'string').map((code) => code.normalize('NFC')));
}

/** Reads the claim, without what cannot be stored or shown in one line; undefined if nothing is left. */
function nameOf(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const shown = claim.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  return [...shown].slice(0, NAME_LENGTH_MAX).join('') || undefined;
}

function keysUnavailable(cause: unknown): GatewayError {
  return new GatewayError({
    code: 'SERVICE_UNAVAILABLE',
    reason: 'KEYS_UNAVAILABLE',
    message: 'The keys for verifying tokens cannot be fetched; try again.',
    retryable: true,
    retryAfterMs: 1_000,
    cause,
  });
}

function refused(reason: string, message: string, cause?: unknown): GatewayError {
  return new GatewayError({ code: 'UNAUTHENTICATED', reason, message, cause });
}
