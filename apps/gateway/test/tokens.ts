import { SignJWT } from 'jose';

export const JWT_SECRET = 'a secret of the tests, longer than 32 characters';
const ISSUER = 'https://issuer.test';
const AUDIENCE = 'solegate';

/** The environment of a production gateway that accepts tokens from {@link tokenOf}. */
export const JWT_ENVIRONMENT: Readonly<Record<string, string>> = {
  NODE_ENV: 'production',
  AUTH_MODE: 'jwt',
  JWT_ALGORITHMS: 'HS256',
  JWT_ISSUER: ISSUER,
  JWT_AUDIENCE: AUDIENCE,
  JWT_SECRET,
};

export interface TokenFacts {
  readonly subject?: string;
  readonly roles?: readonly string[];
  /** Project codes. Default: all projects. */
  readonly projects?: readonly string[];
  /** Display name. Default: the claim is absent. */
  readonly name?: unknown;
  readonly issuer?: string;
  readonly audience?: string;
  /** Seconds from now; negative: in the past. Default: 600. */
  readonly expiresInS?: number;
  readonly secret?: string;
}

export async function tokenOf(facts: TokenFacts = {}): Promise<string> {
  const nowS = Math.floor(Date.now() / 1_000);
  return new SignJWT({
    roles: facts.roles ?? ['rider', 'driver', 'clerk', 'admin'],
    projects: facts.projects ?? '*',
    name: facts.name,
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(facts.subject ?? '1')
    .setIssuer(facts.issuer ?? ISSUER)
    .setAudience(facts.audience ?? AUDIENCE)
    .setIssuedAt(nowS - 60)
    .setExpirationTime(nowS + (facts.expiresInS ?? 600))
    .sign(new TextEncoder().encode(facts.secret ?? JWT_SECRET));
}

export async function bearer(facts: TokenFacts = {}): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await tokenOf(facts)}` };
}
