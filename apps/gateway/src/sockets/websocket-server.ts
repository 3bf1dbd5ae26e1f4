import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import type { PublicError } from '../errors/public-error.js';
import { bodyOf, rawAnswer } from '../http/http-server.js';
import type { Origins } from '../http/origins.js';
import type { OperationReport } from '../operations/operation-report.js';
import { type ProtocolParts, SubscriptionProtocol } from './subscription-protocol.js';

const PAYLOAD_BYTES_MAX = 64 * 1024;
/** How long a client may take to complete the closing handshake. */
const FAREWELL_MS = 1_000;
/** How often clients are asked whether they are still there. */
const KEEP_ALIVE_MS = 15_000;
/** Unauthenticated sockets per address; allows for a fleet behind one address that reconnects simultaneously. */
const UNKNOWN_PER_ADDRESS_MAX = 500;

export interface WebSocketParts extends ProtocolParts {
  readonly origins: Origins;
  /** Whether to accept a request with these headers; demo mode trusts only those from this machine. */
  readonly isAccepted: (headers: IncomingHttpHeaders) => boolean;
}

export interface WebSocketListener {
  /** Number of authenticated sockets. */
  readonly socketCount: number;
  /** Number of active subscriptions on all sockets. */
  readonly subscriptionCount: number;
  /** Closes every socket, so that clients reconnect elsewhere. */
  close(): Promise<void>;
}

/** Accepts or rejects sockets at ws://…/graphql. The protocol on them is in subscription-protocol.ts. */
export function serveWebSockets(app: FastifyInstance, parts: WebSocketParts): WebSocketListener {
  const options = {
    noServer: true,
    maxPayload: PAYLOAD_BYTES_MAX,
    closeTimeout: FAREWELL_MS,
    // Wire answers pings, within its limits.
    autoPong: false,
    handleProtocols: (protocols: Set<string>) => handleProtocols(protocols),
  };
  const sockets = new WebSocketServer(options);
  const unknown = new Map<string, number>();
  const protocol = new SubscriptionProtocol(parts);
  const keepAlive = setInterval(() => protocol.beat(), KEEP_ALIVE_MS);
  app.server.on('upgrade', (request, stream, head) => {
    const address = parts.addressOf(request);
    const refusal = refusalOf(request, parts, unknown.get(address) ?? 0);
    if (refusal !== undefined) return refuse(stream, refusal, parts.report);
    unknown.set(address, (unknown.get(address) ?? 0) + 1);
    let isCounted = true;
    const countOff = (): void => {
      if (!isCounted) return;
      isCounted = false;
      const count = unknown.get(address) ?? 0;
      if (count <= 1) unknown.delete(address);
      else unknown.set(address, count - 1);
    };
    stream.once('close', countOff);
    sockets.handleUpgrade(request, stream, head, (socket) => protocol.serve(socket, request, countOff));
  });

  return {
    get socketCount() {
      return protocol.socketCount;
    },
    get subscriptionCount() {
      return protocol.subscriptionCount;
    },
    async close() {
      clearInterval(keepAlive);
      for (const socket of sockets.clients) socket.close(1001, 'Going away');
      await new Promise((resolve) => sockets.close(resolve));
    },
  };
}

type Refusal = readonly [status: string, refusal: PublicError];

const refusal = (status: string, code: PublicError['code'], reason: string, message: string): Refusal => [
  status,
  { message, code, reason, retryable: false },
];
const NO_SUCH_PATH = refusal('404 Not Found', 'NOT_FOUND', 'NO_SUCH_PATH', 'WebSockets open at /graphql.');
const FOREIGN = refusal(
  '403 Forbidden',
  'FORBIDDEN',
  'FOREIGN_ORIGIN',
  'Pages of this origin are not allowed to open a socket; add the origin to ALLOWED_ORIGINS.',
);
const TOO_MANY = refusal(
  '429 Too Many Requests',
  'RATE_LIMITED',
  'TOO_MANY_SOCKETS',
  'Too many sockets from this address are not yet authenticated.',
);

function refusalOf(
  { url, headers }: IncomingMessage,
  { origins, isAccepted }: WebSocketParts,
  unknownCount: number,
): Refusal | undefined {
  if (url?.split('?', 1)[0] !== '/graphql') return NO_SUCH_PATH;
  if (!origins.mayOpen(headers) || !isAccepted(headers)) return FOREIGN;
  return unknownCount >= UNKNOWN_PER_ADDRESS_MAX ? TOO_MANY : undefined;
}

function refuse(stream: Duplex, [status, refused]: Refusal, report: OperationReport): void {
  const unread = { about: { operation: 'unread' }, requestId: randomUUID() };
  report.ended(unread, bodyOf(refused), { transport: 'websocket', durationMs: 0 });
  // Node.js listens to an upgraded stream no longer: without a listener, a client that has left would end the process.
  stream.on('error', () => stream.destroy());
  // A client that keeps its half open would keep the connection.
  stream.once('finish', () => stream.destroy());
  stream.end(rawAnswer(status, refused));
}
