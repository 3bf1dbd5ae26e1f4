import {
  type CryptoKey,
  createRemoteJWKSet,
  importSPKI,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { JOSEError, JWKSNoMatchingKey, JWTExpired } from 'jose/errors';
import type { JwtConfig } from '../config.js';
import { GatewayError } from '../errors/gateway-error.js';
import { type Authenticate, type Identity, isRole, type Role } from './identity.js';

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;
const SUBJECT = /^(0|[1-9][0-9]{0,18})$/;
const SUBJECT_MAX = 2n ** 63n - 1n;
/** How long a verified token is cached, and therefore how long a withdrawn key stays usable. */
const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 10_000;
const CLOCK_TOLERANCE_S = 5;
/** jose's codes for a key set that could not be fetched; every other code is about the token. */
const KEYS_OUT_OF_REACH = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC']);

interface Remembered {
  readonly identity: Identity;
  readonly untilMs: number;
}

/**
 * Authenticates bearer tokens. Algorithms, issuer and audience come from the configuration, never from the token.
 * Verifying a signature costs about 0.1 ms, so valid tokens are cached until they expire, for at most one minute.
 *
 * @param now milliseconds since 1970
 */
export async function createJwtAuthenticator(config: JwtConfig, now: () => number): Promise<Authenticate> {
  const key = await keyOf(config);
  const remembered = new Map<string, Remembered>();

  async function verify(token: string): Promise<Identity> {
    const payload = await payloadOf(token, key, config, now);
    const identity = identityOf(payload);
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

async function keyOf({ key, algorithms }: JwtConfig): Promise<JWTVerifyGetKey> {
  switch (key.kind) {
    case 'secret':
      return async () => key.secret;
    case 'publicKey': {
      const imported = await Promise.all(
        algorithms.map(async (algorithm) => [algorithm, await importIfFits(key.pem, algorithm)] as const),
      );
      const byAlgorithm = new Map(imported);
      return async ({ alg }) => {
        const found = byAlgorithm.get(alg as JwtConfig['algorithms'][number]);
        if (found === undefined) throw new JWKSNoMatchingKey();
        return found;
      };
    }
    case 'jwks':
      return createRemoteJWKSet(new URL(key.url), {
        timeoutDuration: 3_000,
        cooldownDuration: 5_000,
        cacheMaxAge: 300_000,
      });
  }
}

/** A PEM key fits one kind of algorithm, while the configuration can allow several. */
async function importIfFits(pem: string, algorithm: string): Promise<CryptoKey | undefined> {
  try {
    return await importSPKI(pem, algorithm);
  } catch {
    return undefined;
  }
}

async function payloadOf(
  token: string,
  key: JWTVerifyGetKey,
  config: JwtConfig,
  now: () => number,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, key, {
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
    if (!(cause instanceof JOSEError) || KEYS_OUT_OF_REACH.has(cause.code)) {
      throw new GatewayError({
        code: 'SERVICE_UNAVAILABLE',
        reason: 'KEYS_UNAVAILABLE',
        message: 'The keys for verifying tokens cannot be fetched; try again.',
        retryable: true,
        retryAfterMs: 1_000,
        cause,
      });
    }
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
    expiresAtMs: (payload.exp ?? 0) * 1_000,
  };
}

/** Reads the claim: a list of codes, or "*" for all. Administrators do not need it. */
function projectsOf(claim: unknown, roles: readonly Role[]): Identity['projects'] {
  if (roles.includes('admin') || claim === '*') return 'ALL';
  const codes: unknown[] = Array.isArray(claim) ? claim : [];
  return new Set(codes.filter((code) => typeof code === 'string').map((code) => code.normalize('NFC')));
}

function refused(reason: string, message: string, cause?: unknown): GatewayError {
  return new GatewayError({ code: 'UNAUTHENTICATED', reason, message, cause });
}
