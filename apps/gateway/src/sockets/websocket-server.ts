import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { GraphQLError, type GraphQLSchema, getOperationAST, parse, specifiedRules, validate } from 'graphql';
import type { Context, ServerOptions, SubscribePayload } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import { badInput } from '../errors/gateway-error.js';
import type { IncidentLog } from '../errors/incident-log.js';
import { formattedErrorOf } from '../errors/public-error.js';
import { queryLimitRules, TOKEN_MAX } from '../execution/query-limits.js';
import type { RateLimiter } from '../execution/rate-limiter.js';
import type { RequestContext } from '../graphql/request-context.js';
import type { Authenticate, Identity } from '../identity/identity.js';
import { checkAccess, operationAccess } from '../identity/operation-access.js';
import { SocketPlaces } from './socket-places.js';

const PAYLOAD_BYTES_MAX = 64 * 1024;
const INIT_WAIT_MS = 5_000;
const KEEP_ALIVE_MS = 15_000;
/** How long a client may take to answer the farewell. */
const FAREWELL_MS = 1_000;
/** The longest delay that a timer of node can have. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export interface WebSocketParts {
  readonly schema: GraphQLSchema;
  readonly authenticate: Authenticate;
  readonly rateLimiter: RateLimiter | undefined;
  readonly incidents: IncidentLog;
  readonly logger: Logger;
  readonly makeContext: (identity: Identity, address: string) => RequestContext;
  readonly now: () => number;
  /** Whether a host header is one of ours; demo mode trusts loopback names only. */
  readonly isOwnHost: (host: string | undefined) => boolean;
}

/** What is remembered of a socket. */
type SocketState = {
  identity?: Identity;
  expiry?: NodeJS.Timeout;
};

type Socket = Context<Record<string, unknown>, Extra & SocketState>;

export interface WebSocketListener {
  /** Sockets that have said who they are. */
  readonly socketCount: number;
  /** Subscriptions under way, of all sockets. */
  readonly subscriptionCount: number;
  /** Tells every client to go elsewhere. */
  close(): Promise<void>;
}

/**
 * Subscriptions at ws://…/graphql (the protocol graphql-transport-ws). A socket says who it is in `connection_init`, has
 * one of the subject's places, and is closed with 4403 when its token ends. Queries and mutations belong to HTTP.
 * A slow reader is waited for: its events queue up to a bound in redis-infra and then become a gap.
 */
export function serveWebSockets(app: FastifyInstance, parts: WebSocketParts): WebSocketListener {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: PAYLOAD_BYTES_MAX });
  const places = new SocketPlaces();
  const open = new Set<Socket>();
  const server = useServer(protocolOf({ parts, places, open }), sockets, KEEP_ALIVE_MS);
  app.server.on('upgrade', (request, stream, head) => {
    if (!isOwnPage(request) || !parts.isOwnHost(request.headers.host)) {
      stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      sockets.emit('connection', socket, request);
      // graphql-ws prints such errors; ws has closed the socket with the right code by then.
      socket.removeAllListeners('error');
      socket.on('error', (error) => parts.logger.debug({ err: error }, 'a WebSocket was closed'));
    });
  });

  return {
    get socketCount() {
      return open.size;
    },
    get subscriptionCount() {
      return [...open].reduce((sum, { subscriptions }) => sum + underWay(subscriptions), 0);
    },
    async close() {
      const impatience = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, FAREWELL_MS);
      await server.dispose();
      clearTimeout(impatience);
    },
  };
}

interface ProtocolParts {
  readonly parts: WebSocketParts;
  readonly places: SocketPlaces;
  readonly open: Set<Socket>;
}

type Protocol = ServerOptions<Record<string, unknown>, Extra & Partial<SocketState>>;

/** What graphql-ws asks about each socket, subscription and answer. */
function protocolOf({ parts, places, open }: ProtocolParts): Protocol {
  const validationRules = [...specifiedRules, ...queryLimitRules()];
  return {
    schema: parts.schema,
    connectionInitWaitTimeout: INIT_WAIT_MS,
    async onConnect(socket) {
      const isWelcome = await connect(socket, places, parts);
      if (isWelcome) open.add(socket);
      return isWelcome;
    },
    onSubscribe: (socket, _id, payload) => subscribe(socket, payload, { ...parts, validationRules }),
    onNext(...[, , , , result]) {
      if (result.errors === undefined) return undefined;
      const errors = result.errors.map((error) => formattedErrorOf(error, parts.incidents));
      return { data: result.data ?? null, errors };
    },
    onError: (_socket, _id, _payload, errors) =>
      errors.map((error) => formattedErrorOf(error, parts.incidents)),
    onDisconnect(socket) {
      const { extra } = socket;
      open.delete(socket);
      clearTimeout(extra.expiry);
      if (extra.identity) places.giveBack(extra.identity.subjectId);
    },
  };
}

/** graphql-ws keeps null for one that is only being prepared. */
function underWay(subscriptions: Socket['subscriptions']): number {
  return Object.values(subscriptions).filter((events) => events !== null).length;
}

/** A page of another site must not open a socket with what this browser may do; programs send no origin. */
function isOwnPage({ url, headers }: IncomingMessage): boolean {
  const isGraphql = url?.split('?', 1)[0] === '/graphql';
  const origin = headers.origin;
  return (
    isGraphql && (origin === undefined || (URL.canParse(origin) && new URL(origin).host === headers.host))
  );
}

async function connect(socket: Socket, places: SocketPlaces, parts: WebSocketParts): Promise<boolean> {
  const { authorization, demoUser } = socket.connectionParams ?? {};
  const { headers } = socket.extra.request;
  try {
    const identity = await parts.authenticate({
      authorization: typeof authorization === 'string' ? authorization : headers.authorization,
      demoUser: typeof demoUser === 'string' ? demoUser : undefined,
    });
    if (!places.take(identity.subjectId)) return false;
    socket.extra.identity = identity;
    if (identity.expiresAtMs !== undefined) {
      const leftMs = Math.min(identity.expiresAtMs - parts.now(), TIMER_MAX_MS);
      socket.extra.expiry = setTimeout(() => socket.extra.socket.close(4403, 'Token expired'), leftMs);
    }
    return true;
  } catch {
    return false;
  }
}

async function subscribe(
  socket: Socket,
  payload: SubscribePayload,
  parts: WebSocketParts & { readonly validationRules: (typeof specifiedRules)[number][] },
) {
  const { identity, request } = socket.extra;
  if (identity === undefined) return [new GraphQLError('Not connected')];
  try {
    const document = parse(payload.query, { maxTokens: TOKEN_MAX });
    const faults = validate(parts.schema, document, parts.validationRules);
    if (faults.length > 0) return faults;
    const operation = getOperationAST(document, payload.operationName);
    if (operation?.operation !== 'subscription') {
      throw badInput(
        'SUBSCRIPTIONS_ONLY',
        'Only subscriptions come over WebSocket; send this by POST /graphql.',
      );
    }
    if (Object.keys(socket.subscriptions).length > SocketPlaces.subscriptionsMax) {
      throw badInput(
        'TOO_MANY_SUBSCRIPTIONS',
        `A socket has at most ${SocketPlaces.subscriptionsMax} subscriptions.`,
      );
    }
    const access = operationAccess(document, operation);
    checkAccess(access, identity);
    const address = request.socket.remoteAddress ?? '';
    await parts.rateLimiter?.spend({ subject: String(identity.subjectId), address }, access.weight);
    return {
      schema: parts.schema,
      document,
      operationName: payload.operationName,
      variableValues: payload.variables,
      contextValue: parts.makeContext(identity, address),
    };
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    return [
      new GraphQLError('refused', {
        originalError: error instanceof Error ? error : new Error(String(error)),
      }),
    ];
  }
}
