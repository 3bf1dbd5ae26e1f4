import { SignJWT } from 'jose';

const SECRET = 'a secret of the tests, longer than 32 characters';
const ISSUER = 'https://issuer.test';
const AUDIENCE = 'solegate';

/** Settings of a production gateway that accepts tokens of {@link tokenOf}. */
export const PRODUCTION: Readonly<Record<string, string>> = {
  NODE_ENV: 'production',
  AUTH_MODE: 'jwt',
  JWT_ALGORITHMS: 'HS256',
  JWT_ISSUER: ISSUER,
  JWT_AUDIENCE: AUDIENCE,
  JWT_SECRET: SECRET,
};

/**
 * A token of person 1.
 *
 * @param validS how long it is valid, in seconds; negative: since when it is not
 * @param projects codes of projects; '*': all
 */
export async function tokenOf(
  roles: readonly string[],
  validS = 600,
  projects: '*' | readonly string[] = '*',
): Promise<string> {
  const nowS = Math.floor(Date.now() / 1_000);
  return new SignJWT({ roles, projects })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('1')
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(nowS - 600)
    .setExpirationTime(nowS + validS)
    .sign(new TextEncoder().encode(SECRET));
}
