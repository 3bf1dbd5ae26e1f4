import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Redis } from 'ioredis';
import mercurius from 'mercurius';
import { Histogram, Registry } from 'prom-client';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { callerOf, type Production, RATE_LIMIT } from './production.js';

const REQUEST_ID = /^[\w.-]{1,64}$/;
const ROLES = new Set(['rider', 'driver', 'clerk', 'admin']);
/** Roles that are allowed to call the measured operation. */
const ALLOWED = ['rider', 'driver', 'clerk', 'admin'];
/** The security headers of the gateway's responses. */
const HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** How much more than a person an address may spend, as in the gateway. */
const ADDRESS_FACTOR = 10;

/** Resolves `generateTsids`. */
export type MintResolver = (parent: unknown, input: { readonly count: number }) => Promise<object>;

/**
 * Mercurius with the same per-operation duties as the gateway of the bench: security headers, a request ID, the
 * caller's identity, a role check before the resolver, and one measurement.
 *
 * @param production if given, the identity is that of a token, and each call costs its person and its address a point in
 *   Redis, as the documentation of the two libraries shows it
 */
export async function withDuties(
  schema: string,
  mint: MintResolver,
  production?: Production,
): Promise<FastifyInstance> {
  const durations = new Histogram({
    name: 'operation_seconds',
    help: 'Time from the request to its response',
    labelNames: ['operation', 'code'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [new Registry()],
  });
  const app = Fastify({
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
  });
  const identify = production === undefined ? async () => ROLES : limitedCallers(production);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS);
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    durations.labels('Mutation.generateTsids', 'OK').observe(reply.elapsedTime / 1_000);
    done();
  });
  await app.register(mercurius, {
    schema,
    resolvers: { Mutation: { generateTsids: mint } },
    context: async (request) => ({
      requestId: request.id,
      address: request.ip,
      roles: await identify(request),
    }),
  });
  app.graphql.addHook('preExecution', async (_schema, _document, context) => {
    const { roles } = context as unknown as { readonly roles: ReadonlySet<string> };
    if (!ALLOWED.some((role) => roles.has(role))) throw new Error('the role is missing');
  });
  return app;
}

/** Returns the roles of who calls. Rejects if the token is invalid or a limit is reached. */
function limitedCallers(production: Production) {
  const redis = new Redis(production.redisUrl);
  const limiterOf = (keyPrefix: string, points: number) =>
    new RateLimiterRedis({ storeClient: redis, keyPrefix, points, duration: 1 });
  const people = limiterOf('peer-subject', RATE_LIMIT);
  const addresses = limiterOf('peer-address', RATE_LIMIT * ADDRESS_FACTOR);
  return async ({ headers, ip }: FastifyRequest): Promise<ReadonlySet<string>> => {
    const { subject, roles } = await callerOf(headers.authorization, production);
    await Promise.all([people.consume(subject), addresses.consume(ip)]);
    return roles;
  };
}
