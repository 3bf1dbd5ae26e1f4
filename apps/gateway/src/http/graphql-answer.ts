import type { FastifyReply } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import { httpStatusOf } from '../errors/public-code.js';

/** The media type with which a status is part of the answer (GraphQL over HTTP). */
const RESPONSE_JSON = 'application/graphql-response+json';
/** Refusals that a cache, a balancer or a client's transport has to know of whatever the media type. */
const OF_TRANSPORT: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Sends an answer. With `application/graphql-response+json` a refusal has a status of its own. With `application/json`,
 * where a status may come from anybody on the way, whatever is between the client and its operation is 200, as the
 * specification asks; who may not ask and what is broken here keeps its status.
 *
 * @param isRequest false for a body that is no GraphQL request: that is 400 in any case
 */
export function sendAnswer(
  reply: FastifyReply,
  { data, errors }: FormattedExecutionResult,
  { accept = '', isRequest = true }: { readonly accept?: string | undefined; readonly isRequest?: boolean },
): FastifyReply {
  const hasOwnStatus = accept.includes(RESPONSE_JSON);
  // Without a type of its own Fastify sends an object as `application/json`.
  if (hasOwnStatus) reply.type(`${RESPONSE_JSON}; charset=utf-8`);
  if (errors === undefined) return reply.send({ data });
  const status = statusOf(data, errors);
  const isSaid = hasOwnStatus || !isRequest || status >= 500 || OF_TRANSPORT.has(status);
  const retryAfterMs = errors[0]?.extensions?.retryAfterMs;
  if (typeof retryAfterMs === 'number') reply.header('retry-after', Math.ceil(retryAfterMs / 1_000));
  return reply.code(isSaid ? status : 200).send({ errors, data });
}

/** 200 when anything of what was asked came back; else what the first error says. */
function statusOf(
  data: FormattedExecutionResult['data'],
  [first]: NonNullable<FormattedExecutionResult['errors']>,
): number {
  const hasAnswer = Object.values(data ?? {}).some((field) => field !== null);
  return hasAnswer ? 200 : (httpStatusOf(first?.extensions?.code) ?? 400);
}
