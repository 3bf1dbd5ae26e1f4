import { jwtVerify, SignJWT } from 'jose';

/** What a gateway and a peer need to verify the same tokens. */
export interface Production {
  readonly jwtSecret: string;
  readonly redisUrl: string;
}

const ISSUER = 'https://issuer.bench';
const AUDIENCE = 'solegate';
const ALGORITHM = 'HS256';
/** People who call, each with a token. */
const CALLER_COUNT = 100;
/** Points per second and person: above the share of each caller, so that nothing is refused. */
export const RATE_LIMIT = 10_000;

/** The settings of a gateway in production. */
export function productionEnvironment({ jwtSecret }: Production): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'production',
    AUTH_MODE: 'jwt',
    JWT_ALGORITHMS: ALGORITHM,
    JWT_ISSUER: ISSUER,
    JWT_AUDIENCE: AUDIENCE,
    JWT_SECRET: jwtSecret,
    RATE_LIMIT_PER_SECOND: String(RATE_LIMIT),
  };
}

/** Tokens of as many people, valid for an hour. */
export async function callerTokens({ jwtSecret }: Production): Promise<string[]> {
  const callers = Array.from({ length: CALLER_COUNT }, (_, index) =>
    new SignJWT({ roles: ['clerk'] })
      .setProtectedHeader({ alg: ALGORITHM })
      .setSubject(String(index + 1))
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setExpirationTime('1 hour')
      .sign(keyOf(jwtSecret)),
  );
  return Promise.all(callers);
}

/** Who calls, by the token of the header. @throws if the token is missing or invalid */
export async function callerOf(header: string | undefined, { jwtSecret }: Production) {
  const token = header?.replace(/^Bearer /, '') ?? '';
  const { payload } = await jwtVerify(token, keyOf(jwtSecret), {
    algorithms: [ALGORITHM],
    issuer: ISSUER,
    audience: AUDIENCE,
  });
  return { subject: payload.sub ?? '', roles: new Set((payload.roles as string[] | undefined) ?? []) };
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
