import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { ProxiedConnection } from './proxied-connection.js';

/**
 * How a fault proxy treats the traffic that goes through it:
 *
 * - `pass`: forwards both ways.
 * - `cutBeforeReply`: the request is dropped and the connection is closed. The server never saw it.
 * - `cutAfterReply`: the request is delivered; the server's reply is dropped and the connection is closed. The server
 *   has acted, but the caller cannot know. With several requests in progress on one connection, this is certain for the
 *   first of them only; a later one might or might not have been carried out.
 * - `delay(ms)`: requests pass immediately, replies arrive `ms` later, in order.
 * - `blackHole`: nothing gets through in either direction, and neither side notices. As with TCP, data sent meanwhile
 *   is kept and delivered when the mode ends, so a late request still arrives. New connections are accepted.
 * - `reset`: open and new connections end immediately with a TCP reset.
 *
 * The proxy does not parse protocols: each chunk that arrives from the client is a request, each chunk from the server
 * a reply. On the loopback interface, commands and replies of a few kilobytes arrive whole.
 */
export type FaultMode =
  | 'pass'
  | 'cutBeforeReply'
  | 'cutAfterReply'
  | 'blackHole'
  | 'reset'
  | { readonly delayMs: number };

/** Which traffic a mode affects. Without a scope: all of it, until the next `set`. */
export interface FaultScope {
  /** For the two cut modes, from 1: how many cuts before the proxy passes again; `1` loses exactly the next reply. */
  readonly count?: number;
  /** For the two cut modes: cut only requests that contain this text, such as `COMMIT` or a key. */
  readonly matching?: string | RegExp;
  /** Affect only the connection whose client has this local port (`redis.stream.localPort`); others are unaffected. */
  readonly clientPort?: number;
}

/** A mode in force, with its remaining cuts and the connections whose next reply will be cut. */
interface Rule {
  readonly mode: FaultMode;
  readonly matching: string | RegExp | undefined;
  strikesLeft: number;
  readonly armed: WeakSet<ProxiedConnection>;
}

/** A reply delay for `FaultProxy.set`, in milliseconds. */
export function delay(ms: number): FaultMode {
  return { delayMs: ms };
}

/**
 * Starts a TCP proxy on a free loopback port in front of one server.
 *
 * @param targetUrl `redis://…`, `postgres://…`, or any URL with a host and a port
 * @throws TypeError if the URL has no port and its scheme no default one
 */
export async function startFaultProxy(targetUrl: string): Promise<FaultProxy> {
  const target = withPort(targetUrl);
  const listener = createServer({ allowHalfOpen: true, noDelay: true });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return new FaultProxy(target, listener);
}

function withPort(targetUrl: string): URL {
  const target = new URL(targetUrl);
  target.port ||= CUSTOMARY_PORTS[target.protocol] ?? '';
  if (target.port === '') throw new TypeError(`The target ${target.protocol}//${target.host} needs a port`);
  return target;
}

const CUSTOMARY_PORTS: Record<string, string> = {
  'redis:': '6379',
  'postgres:': '5432',
  'postgresql:': '5432',
};

/** A running proxy; see `startFaultProxy`. */
export class FaultProxy implements AsyncDisposable {
  /** The target's URL with the proxy's address; credentials, path and query are kept. */
  readonly url: string;
  readonly port: number;
  readonly #listener: Server;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #rulesByPort = new Map<number, Rule>();
  #target: URL;
  #rule = ruleOf('pass', {});
  #strikeCount = 0;

  constructor(target: URL, listener: Server) {
    this.#target = target;
    this.#listener = listener;
    this.port = (listener.address() as AddressInfo).port;
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    this.url = url.href;
    listener.on('connection', (client) => this.#accept(client));
  }

  /** The mode of connections that have no mode of their own. */
  get mode(): FaultMode {
    return this.#rule.mode;
  }

  /** How many requests or replies the cut modes have dropped since the last `set`. */
  get strikeCount(): number {
    return this.#strikeCount;
  }

  /**
   * Sets the mode, also of open connections. Without a `clientPort` it replaces the modes of single connections.
   *
   * @throws RangeError for a `count` below 1
   */
  set(mode: FaultMode, scope: FaultScope = {}): void {
    const rule = ruleOf(mode, scope);
    this.#strikeCount = 0;
    if (scope.clientPort === undefined) {
      this.#rulesByPort.clear();
      this.#rule = rule;
    } else {
      this.#rulesByPort.set(scope.clientPort, rule);
    }
    for (const connection of this.#connections) this.#obey(connection);
  }

  /**
   * Points the proxy at another server, as after a failover, and resets the connections to the old one.
   *
   * @throws TypeError as `startFaultProxy` does
   */
  redirect(targetUrl: string): void {
    this.#target = withPort(targetUrl);
    for (const connection of this.#connections) connection.reset();
  }

  /** Ends every connection and the listener. May be called twice. */
  async close(): Promise<void> {
    if (!this.#listener.listening) return;
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    for (const connection of this.#connections) connection.cut();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #accept(client: Socket): void {
    const connection = new ProxiedConnection(client, {
      dial: () => this.#dial(),
      onRequest: (bytes) => this.#judgeRequest(connection, bytes),
      onReply: () => this.#judgeReply(connection),
      onClose: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    this.#obey(connection);
  }

  #dial(): Socket {
    const { hostname, port } = this.#target;
    const host = hostname.replace(/^\[|\]$/g, '');
    return connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
  }

  #ruleFor(connection: ProxiedConnection): Rule {
    return this.#rulesByPort.get(connection.clientPort) ?? this.#rule;
  }

  /** Applies the rule in force to a connection, for modes that are states rather than events. */
  #obey(connection: ProxiedConnection): void {
    const { mode } = this.#ruleFor(connection);
    if (mode === 'reset') connection.reset();
    else if (mode === 'blackHole') connection.hold();
    else connection.flow(typeof mode === 'object' ? mode.delayMs : 0);
  }

  #judgeRequest(connection: ProxiedConnection, bytes: Buffer): 'deliver' | 'cut' {
    const rule = this.#ruleFor(connection);
    if (rule.mode !== 'cutBeforeReply' && rule.mode !== 'cutAfterReply') return 'deliver';
    if (!isMatch(rule, bytes)) return 'deliver';
    if (rule.mode === 'cutBeforeReply') return this.#strike(rule);
    rule.armed.add(connection);
    return 'deliver';
  }

  #judgeReply(connection: ProxiedConnection): 'deliver' | 'cut' {
    const rule = this.#ruleFor(connection);
    const isFatal = rule.mode === 'cutAfterReply' && (!rule.matching || rule.armed.has(connection));
    return isFatal ? this.#strike(rule) : 'deliver';
  }

  #strike(rule: Rule): 'cut' {
    this.#strikeCount += 1;
    rule.strikesLeft -= 1;
    if (rule.strikesLeft === 0) this.#retire(rule);
    return 'cut';
  }

  #retire(spent: Rule): void {
    if (this.#rule === spent) this.#rule = ruleOf('pass', {});
    for (const [clientPort, rule] of this.#rulesByPort) {
      if (rule === spent) this.#rulesByPort.delete(clientPort);
    }
  }
}

function ruleOf(mode: FaultMode, { count = Number.POSITIVE_INFINITY, matching }: FaultScope): Rule {
  if (!(count >= 1)) throw new RangeError(`A fault strikes once or more often, not ${count} times`);
  return { mode, matching, strikesLeft: count, armed: new WeakSet() };
}

function isMatch({ matching }: Rule, bytes: Buffer): boolean {
  if (matching === undefined) return true;
  return typeof matching === 'string'
    ? bytes.includes(matching)
    : bytes.toString('latin1').search(matching) >= 0;
}
