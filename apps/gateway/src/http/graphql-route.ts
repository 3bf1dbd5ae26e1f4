import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import { Deadlines } from '../budget/deadlines.js';
import type { HeldBytes } from '../budget/held-bytes.js';
import { badInput, clientLeft, type GatewayError } from '../errors/gateway-error.js';
import type { OperationRunner, ReadyOperation } from '../execution/operation-runner.js';
import type { RequestContext } from '../graphql/request-context.js';
import { OperationTrace } from '../operations/operation-trace.js';
import { type HeldBody, holdBody, joinBody } from './body-budget.js';
import { type CallerParts, contextOf } from './caller.js';
import { type EventStreams, sendOneEvent } from './event-stream.js';
import { acceptsJson, qualityOf, sendAnswer } from './graphql-answer.js';
import { bodyOf, notHttp } from './http-server.js';
import { holdUnread } from './response-budget.js';

export interface GraphqlRouteParts extends CallerParts {
  readonly streams: EventStreams;
  /** True during shutdown, when each response closes its connection. */
  readonly isDraining: () => boolean;
}

const EVENT_STREAM = 'text/event-stream';

/** An authenticated request. */
interface Call {
  readonly context: RequestContext;
  readonly body: HeldBody | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined until its caller is known. */
    call: Call | undefined;
  }
}

/**
 * POST /graphql: authenticates the caller, then reads the body and runs the operation within the request timeout.
 * Accepts only JSON, which other sites' pages cannot send without a CORS preflight, and only POST, so following a link
 * has no effect. Sends events to clients that accept them: the results of a subscription, and any other result if they
 * accept nothing else.
 */
export function registerGraphqlRoute(app: FastifyInstance, parts: GraphqlRouteParts): void {
  const deadlines = new Deadlines();
  app.decorateRequest('call', undefined);
  app.addHook('onClose', async () => deadlines.stop());

  app.post('/graphql', {
    onRequest(request, reply, done) {
      if (parts.isDraining()) reply.header('connection', 'close');
      // Before anything is awaited.
      const joined = joinBody(reply, parts.held);
      const known = contextOf(request, parts);
      const accept = (context: RequestContext) => {
        if (request.raw.socket.destroyed) throw clientLeft();
        request.call = { context, body: joined ?? holdBody(reply, parts.held) };
      };
      // Fastify waits for a promise; without one, nothing is awaited.
      if (known instanceof Promise) return known.then(accept);
      accept(known);
      done();
      return undefined;
    },
    preParsing(request, _reply, payload, done) {
      done(null, request.call?.body?.payload ?? payload);
    },
    async handler(request, reply) {
      const { call } = request;
      if (call === undefined) throw new Error('a request reached its handler without a caller');
      const { context, body } = call;
      const work = answerTo(request, context, { parts, deadlines });
      const answer = await (body === undefined ? work : work.finally(() => body.end()));
      if (answer.kind === 'STREAM') await parts.streams.send(reply, answer.stream, context.identity);
      else await send(reply, answer, parts.held);
      return reply;
    },
  });

  app.get('/graphql', (_request, reply) =>
    reply
      .code(405)
      .header('allow', 'POST, OPTIONS')
      .send(bodyOf(notHttp('POST_ONLY', 'Send operations by POST as JSON.'))),
  );
}

function answerTo(
  request: FastifyRequest,
  context: RequestContext,
  { parts, deadlines }: { readonly parts: GraphqlRouteParts; readonly deadlines: Deadlines },
): Promise<Settled> {
  const startedAtMs = performance.now();
  return OperationTrace.run(request.headers, async (traced) => {
    const work = operate(request, context, parts);
    let settled: Settled;
    try {
      settled = await deadlines.by(context.endsAtMs, work);
    } catch (refusal) {
      void work.then((late) => endLate(late, context, parts), ignore);
      settled = refused(parts.runner.refusalOf(refusal, request.id));
    }
    const result = settled.result ?? {};
    traced.ended(context.about.operation, result);
    parts.report.ended(context, result, {
      transport: settled.kind === 'STREAM' ? 'sse' : 'http',
      durationMs: performance.now() - startedAtMs,
      traceId: traced.traceId,
    });
    return settled;
  });
}

async function send(reply: FastifyReply, { kind, result }: Answer, held: HeldBytes): Promise<void> {
  const { accept } = reply.request.headers;
  if (kind === 'ANSWERED' && !acceptsJson(accept) && acceptsEvents(accept)) sendOneEvent(reply, result, held);
  else {
    const isRequest = result.errors?.[0]?.extensions?.reason !== 'BAD_REQUEST';
    await sendAnswer(reply, result, { held, isRequest });
  }
  holdUnread(reply, held);
}

interface Answer {
  readonly kind: 'ANSWERED' | 'REFUSED';
  readonly result: FormattedExecutionResult;
}

type Settled =
  | Answer
  | {
      readonly kind: 'STREAM';
      readonly stream: Parameters<EventStreams['send']>[1];
      readonly result?: never;
    };

function acceptsEvents(accept: string | undefined): boolean {
  return qualityOf(EVENT_STREAM, accept, false) > 0;
}

function refused(result: FormattedExecutionResult): Settled {
  return { kind: 'REFUSED', result };
}

async function operate(
  request: FastifyRequest,
  context: RequestContext,
  { runner, streams }: GraphqlRouteParts,
): Promise<Settled> {
  const prepared = runner.prepare(request.body, context);
  // A stream keeps its request until it ends.
  request.body = undefined;
  const preparation = prepared instanceof Promise ? await prepared : prepared;
  if (preparation.kind === 'REFUSED') return refused(preparation.result);
  const { ready } = preparation;
  // Its body, or its permission, may have come late.
  const { refusal } = context;
  if (refusal !== undefined) return refused(runner.refusalOf(refusal, context.requestId));
  if (ready.operation.operation !== 'subscription') {
    return { kind: 'ANSWERED', result: await runner.run(ready, context) };
  }
  if (!acceptsEvents(request.headers.accept)) throw subscriptionNeedsStream();
  return openStream(ready, context, runner, streams);
}

async function openStream(
  ready: ReadyOperation,
  context: RequestContext,
  runner: OperationRunner,
  streams: EventStreams,
): Promise<Settled> {
  streams.takePlace(context.identity);
  try {
    const stream = await runner.subscribe(ready, context);
    if (Symbol.asyncIterator in stream) return { kind: 'STREAM', stream };
    streams.giveBack(context.identity);
    return refused(stream);
  } catch (error) {
    streams.giveBack(context.identity);
    throw error;
  }
}

/** Ends a subscription that started after its request had timed out. */
async function endLate(
  settled: Settled,
  { identity }: RequestContext,
  { streams }: GraphqlRouteParts,
): Promise<void> {
  if (settled.kind !== 'STREAM') return;
  streams.giveBack(identity);
  await settled.stream.return();
}

function ignore(): void {}

function subscriptionNeedsStream(): GatewayError {
  return badInput(
    'SUBSCRIPTION_TRANSPORT',
    `Subscriptions need a WebSocket, or server-sent events: send "accept: ${EVENT_STREAM}".`,
  );
}
