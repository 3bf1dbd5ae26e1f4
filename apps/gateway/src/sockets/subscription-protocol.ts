import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type FormattedExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { type Context, makeServer, type Server, type ServerOptions, type SubscribePayload } from 'graphql-ws';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { tooManyBytes } from '../budget/held-bytes.js';
import type { SubscriberPlaces } from '../budget/subscriber-places.js';
import { badInput, GatewayError } from '../errors/gateway-error.js';
import { heapBytesOf } from '../execution/kept-requests.js';
import type { ReadyOperation, Stream } from '../execution/operation-runner.js';
import { RequestContext } from '../graphql/request-context.js';
import type { CallerParts } from '../http/caller.js';
import { atExpiry, type Identity } from '../identity/identity.js';
import { OperationTrace } from '../operations/operation-trace.js';
import { sentResults, WordedError } from './sent-results.js';
import { Wire } from './wire.js';

const INIT_WAIT_MS = 5_000;
const SUBSCRIPTIONS_MAX = 50;
/** Clients number their subscriptions, or use UUIDs. */
const ID_LENGTH_MAX = 200;

/** Close codes. graphql-ws clients reconnect after the last two; the others need user action or another token. */
const CLOSING = {
  UNAUTHENTICATED: 4401,
  TOKEN_EXPIRED: 4403,
  TOO_MANY_SOCKETS: 4429,
  TRY_AGAIN_LATER: 1013,
} as const;

export interface ProtocolParts extends CallerParts {
  readonly schema: GraphQLSchema;
  readonly places: SubscriberPlaces;
  readonly logger: Logger;
  readonly now: () => number;
  readonly addressOf: (request: IncomingMessage) => string;
}

/** State kept for a socket. */
interface SocketState {
  readonly wire: Wire;
  readonly request: IncomingMessage;
  readonly address: string;
  /** Called once the socket is authenticated. */
  readonly onKnown: () => void;
  identity?: Identity;
  expiry?: NodeJS.Timeout | undefined;
}

type Socket = Context<Record<string, unknown>, SocketState>;
type Begun =
  | { readonly ready: ReadyOperation; readonly stream: Stream }
  /** Rejected before execution. */
  | { readonly ready?: undefined; readonly stream: FormattedExecutionResult };

type Protocol = ServerOptions<Record<string, unknown>, SocketState>;

/**
 * The graphql-transport-ws protocol. A socket authenticates in `connection_init`, counts toward its subject's limit,
 * and is closed when its token expires. Subscriptions are handled as over HTTP; queries and mutations are accepted only
 * there. Events of slow readers are buffered up to a limit in redis-infra and then replaced by a gap.
 */
export class SubscriptionProtocol {
  readonly #open = new Set<Socket>();
  readonly #wires = new Set<Wire>();
  /** Started streams, until graphql-ws takes them over. */
  readonly #begun = new WeakMap<RequestContext, FormattedExecutionResult | AsyncIterableIterator<never>>();
  readonly #server: Server<SocketState>;

  constructor(private readonly parts: ProtocolParts) {
    this.#server = makeServer(this.#protocol());
  }

  get socketCount(): number {
    return this.#open.size;
  }

  get subscriptionCount(): number {
    return [...this.#open].reduce((sum, { subscriptions }) => sum + underWay(subscriptions), 0);
  }

  /**
   * Serves a socket until it closes.
   *
   * @param onKnown called once the socket is authenticated
   */
  serve(socket: WebSocket, request: IncomingMessage, onKnown: () => void): void {
    const { held, logger, admission } = this.parts;
    const address = this.parts.addressOf(request);
    const charge = (points: number) => admission.messages(points, { identity: state.identity, address });
    const wire = new Wire(socket, request.socket, { held, logger, address, charge });
    const state: SocketState = { wire, request, address, onKnown };
    const closed = this.#server.opened(wire, state);
    this.#wires.add(wire);
    socket.once('close', (code, reason) => {
      this.#wires.delete(wire);
      void closed(code, String(reason));
    });
  }

  /** Disconnects the sockets that did not answer since the last call. */
  beat(): void {
    for (const wire of this.#wires) wire.beat();
  }

  #protocol(): Protocol {
    return {
      connectionInitWaitTimeout: INIT_WAIT_MS,
      onConnect: (socket) => this.#connect(socket),
      onSubscribe: (socket, id, payload) => this.#subscribe(socket, id, payload),
      subscribe: ({ contextValue }) => this.#begun.get(contextValue as RequestContext) as never,
      // Already formatted by the runner.
      onNext: (...[, , , , result]) => result as FormattedExecutionResult,
      onClose: (socket) => {
        const { identity, expiry } = socket.extra;
        clearTimeout(expiry);
        if (this.#open.delete(socket) && identity) this.parts.places.giveBack(identity.subjectId);
      },
    };
  }

  async #connect(socket: Socket): Promise<boolean> {
    const { parts } = this;
    const { authorization, demoUser } = socket.connectionParams ?? {};
    const { request, wire, address, onKnown } = socket.extra;
    wire.waivePoint();
    try {
      const identity = await parts.authenticate({
        authorization: typeof authorization === 'string' ? authorization : request.headers.authorization,
        demoUser: typeof demoUser === 'string' ? demoUser : undefined,
      });
      // Its place would never be given back.
      if (!wire.isOpen) return false;
      if (!parts.places.take(identity.subjectId)) {
        wire.close(CLOSING.TOO_MANY_SOCKETS, 'Too many sockets');
        return false;
      }
      socket.extra.identity = identity;
      socket.extra.expiry = atExpiry(identity, parts.now(), () => {
        wire.close(CLOSING.TOKEN_EXPIRED, 'Token expired');
      });
      this.#open.add(socket);
      wire.authenticated();
      onKnown();
      return true;
    } catch (refusal) {
      wire.close(...(await this.#closing(refusal, address)));
      return false;
    }
  }

  /** Charges the failed attempt to the caller's address and chooses the close code. */
  async #closing(refusal: unknown, address: string): Promise<readonly [code: number, reason: string]> {
    const { admission, runner, report } = this.parts;
    const requestId = randomUUID();
    const limited = await admission.refused(address).catch((limit: unknown) => limit);
    const cause = limited ?? refusal;
    report.ended({ about: { operation: 'unread' }, requestId }, runner.refusalOf(cause, requestId), {
      transport: 'websocket',
      durationMs: 0,
    });
    if (cause instanceof GatewayError && cause.code === 'UNAUTHENTICATED') {
      return [CLOSING.UNAUTHENTICATED, cause.reason];
    }
    return [CLOSING.TRY_AGAIN_LATER, 'Try again later'];
  }

  async #subscribe(socket: Socket, id: string, payload: SubscribePayload) {
    const { schema, feeds, report, held } = this.parts;
    const { identity, request, address, wire } = socket.extra;
    wire.waivePoint();
    const startedAtMs = performance.now();
    if (identity === undefined) return [new GraphQLError('Not connected')];
    const context = new RequestContext({ identity, requestId: randomUUID(), address, feeds });
    const fault = faultOf(id, socket);
    const waiting = held.open(address);
    const hasRoom = waiting.resize(heapBytesOf(payload));
    const begun = await OperationTrace.run(request.headers, async (traced) => {
      const answer = await this.#begin(payload, context, hasRoom ? fault : tooManyBytes());
      const result = Symbol.asyncIterator in answer.stream ? {} : answer.stream;
      traced.ended(context.about.operation, result);
      const durationMs = performance.now() - startedAtMs;
      report.ended(context, result, { transport: 'websocket', durationMs, traceId: traced.traceId });
      return answer;
    });
    waiting.end();
    const { ready, stream } = begun;
    if (ready === undefined) return (stream.errors ?? []).map((error) => new WordedError(error));
    const prefix = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
    const started = Symbol.asyncIterator in stream;
    this.#begun.set(
      context,
      started ? sentResults(stream, (json) => wire.send(`${prefix}${json}}`)) : stream,
    );
    const { document, operationName } = ready;
    return { schema, document, operationName, contextValue: context };
  }

  async #begin(
    payload: SubscribePayload,
    context: RequestContext,
    fault: GatewayError | undefined,
  ): Promise<Begun> {
    const { runner, admission } = this.parts;
    try {
      const preparing = fault ?? runner.prepare(payload, context);
      // It has been read; graphql-ws keeps it until the subscription ends.
      for (const name of Object.keys(payload)) Reflect.deleteProperty(payload, name);
      if (preparing instanceof GatewayError) {
        await admission.refused(context.address);
        throw preparing;
      }
      const preparation = await preparing;
      if (preparation.kind === 'REFUSED') return { stream: preparation.result };
      const { ready } = preparation;
      if (ready.operation.operation !== 'subscription') {
        throw badInput(
          'SUBSCRIPTIONS_ONLY',
          'Only subscriptions are accepted over WebSocket; send this by POST /graphql.',
        );
      }
      return { ready, stream: await runner.subscribe(ready, context) };
    } catch (refusal) {
      return { stream: runner.refusalOf(refusal, context.requestId) };
    }
  }
}

/** Returns why another subscription of a socket, which counts already, is refused, if it is. */
function faultOf(id: string, { subscriptions }: Socket): GatewayError | undefined {
  if (Object.keys(subscriptions).length > SUBSCRIPTIONS_MAX) {
    return badInput('TOO_MANY_SUBSCRIPTIONS', `A socket has at most ${SUBSCRIPTIONS_MAX} subscriptions.`);
  }
  if (id.length <= ID_LENGTH_MAX) return undefined;
  return badInput('ID_TOO_LONG', `The ID of a subscription has at most ${ID_LENGTH_MAX} characters.`);
}

/** Counts active subscriptions; graphql-ws stores null for one that is still being prepared. */
function underWay(subscriptions: Socket['subscriptions']): number {
  return Object.values(subscriptions).filter((events) => events !== null).length;
}
