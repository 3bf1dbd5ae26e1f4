import type { FastifyReply } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import { httpStatusOf } from '../errors/public-code.js';
import { qualityOf } from './accepted-types.js';

/** The media type for which the HTTP status is part of the response (GraphQL over HTTP). */
const RESPONSE_JSON = 'application/graphql-response+json';
const PLAIN_JSON = 'application/json';
/** Statuses that caches, load balancers and HTTP clients must see, whatever the media type. */
const OF_TRANSPORT: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Sends a response. With `application/graphql-response+json`, an error has its own status. With `application/json`,
 * where any intermediary could have set the status, GraphQL errors are sent with 200, as the specification requires;
 * unauthorized and rate-limited callers and server errors keep their status.
 *
 * @param isRequest false for a body that is not a GraphQL request, which is always 400
 */
export function sendAnswer(
  reply: FastifyReply,
  { data, errors }: FormattedExecutionResult,
  { accept, isRequest = true }: { readonly accept?: string | undefined; readonly isRequest?: boolean },
): FastifyReply {
  const wish = qualityOf(RESPONSE_JSON, accept, false);
  const hasOwnStatus = wish > 0 && wish >= qualityOf(PLAIN_JSON, accept, false);
  // Fastify sends objects as `application/json` by default.
  if (hasOwnStatus) reply.type(`${RESPONSE_JSON}; charset=utf-8`);
  if (errors === undefined) return reply.send({ data });
  const status = statusOf(data, errors);
  const isSaid = hasOwnStatus || !isRequest || status >= 500 || OF_TRANSPORT.has(status);
  const retryAfterMs = errors[0]?.extensions?.retryAfterMs;
  if (typeof retryAfterMs === 'number') reply.header('retry-after', Math.ceil(retryAfterMs / 1_000));
  return reply.code(isSaid ? status : 200).send({ errors, data });
}

/** Whether the client accepts a response other than a stream of events. */
export function acceptsJson(accept: string | undefined): boolean {
  return [RESPONSE_JSON, PLAIN_JSON].some((type) => qualityOf(type, accept) > 0);
}

/** 200 if any requested field has data; otherwise the status of the first error. */
function statusOf(
  data: FormattedExecutionResult['data'],
  [first]: NonNullable<FormattedExecutionResult['errors']>,
): number {
  const hasAnswer = Object.values(data ?? {}).some((field) => field !== null);
  return hasAnswer ? 200 : (httpStatusOf(first?.extensions?.code) ?? 400);
}
