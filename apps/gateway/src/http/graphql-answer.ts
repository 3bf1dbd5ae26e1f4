import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import type { HeldBytes } from '../budget/held-bytes.js';
import { httpStatusOf } from '../errors/public-code.js';
import { inPieces } from './response-budget.js';

/**
 * Returns how much a client wants a media type, from 0 (not at all) to 1, by the most specific range in its `Accept`
 * header that covers the type.
 *
 * @param wildcards whether ranges such as text/* count. Default: true
 */
export function qualityOf(type: string, accept: string | undefined, wildcards = true): number {
  if (accept === undefined) return wildcards ? 1 : 0;
  const ranges = wildcards ? [type, `${type.split('/', 1)[0]}/*`, '*/*'] : [type];
  let best = { rank: ranges.length, quality: 0 };
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const rank = ranges.indexOf(range);
    if (rank === -1 || rank >= best.rank) continue;
    const quality = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1);
    best = { rank, quality: Number.isNaN(quality) ? 0 : quality };
  }
  return best.quality;
}

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
export async function sendAnswer(
  reply: FastifyReply,
  { data, errors }: FormattedExecutionResult,
  { held, isRequest = true }: { readonly held: HeldBytes; readonly isRequest?: boolean },
): Promise<void> {
  const { accept } = reply.request.headers;
  const wish = qualityOf(RESPONSE_JSON, accept, false);
  const hasOwnStatus = wish > 0 && wish >= qualityOf(PLAIN_JSON, accept, false);
  reply.header('content-type', `${hasOwnStatus ? RESPONSE_JSON : PLAIN_JSON}; charset=utf-8`);
  if (errors !== undefined) {
    const status = statusOf(data, errors);
    const isSaid = hasOwnStatus || !isRequest || status >= 500 || OF_TRANSPORT.has(status);
    const retryAfterMs = errors[0]?.extensions?.retryAfterMs;
    if (typeof retryAfterMs === 'number') reply.header('retry-after', Math.ceil(retryAfterMs / 1_000));
    reply.code(isSaid ? status : 200);
  }
  const body = inPieces(reply, JSON.stringify({ errors, data }), held);
  // Answers of one turn of the event loop are written together, when all that had arrived is under way. Written one at a
  // time, each would wake its client, and each next request would take a turn of its own. Long ones do not wait: all those
  // of a turn might not fit into memory.
  if (typeof body === 'string') await endOfTurn();
  reply.send(body);
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
