import {
  Cluster,
  type ClusterNode,
  type ClusterOptions,
  type Command,
  Redis,
  type RedisOptions,
} from 'ioredis';

import { endInTime, neverSent } from './command-deadline.js';

/** How long commands of a connection may take. */
export interface CommandBounds {
  /** From the call to its end, in milliseconds, whatever state the connection is in. */
  readonly commandTimeoutMs: number;
  /** For what logs in and checks a fresh connection, in milliseconds. */
  readonly handshakeTimeoutMs: number;
  /** A server that is asked and sends not one byte for so long, in milliseconds, is gone: connect anew. */
  readonly silenceMaxMs: number;
}

/** What logs in and checks a fresh connection. ioredis has such a list too, since 5.9. */
const HANDSHAKE_COMMANDS = new Set(['auth', 'client', 'hello', 'info', 'readonly', 'select']);

type Stream = Parameters<Redis['sendCommand']>[1];

/**
 * An ioredis connection on which every command ends within its time.
 *
 * ioredis has two options for that. `commandTimeout` calls a command unanswered while its answer lies in the socket, and
 * `socketTimeout` has a timer that outlives a reconnect and then breaks the fresh connection.
 */
export class BoundedRedis extends Redis {
  readonly #bounds: CommandBounds;
  #isGathering = false;

  constructor(options: RedisOptions, bounds: CommandBounds) {
    super({ ...options, lazyConnect: true });
    this.#bounds = bounds;
    this.on('ready', () => this.#watchForSilence());
  }

  override sendCommand(command: Command, stream?: Stream): unknown {
    const isHandshake = this.status === 'connect' && HANDSHAKE_COMMANDS.has(command.name);
    if (isHandshake) command.setTimeout(this.#bounds.handshakeTimeoutMs);
    else endInTime(command, this.#bounds.commandTimeoutMs, () => withdraw(this, command));
    if (this.commandQueue.length > 0) this.#gatherWrites();
    return super.sendCommand(command, stream);
  }

  /**
   * While the server is busy with earlier commands anyway, what is sent in one turn of the event loop leaves in one
   * write: a system call costs more than all else that a command does here. A command to an idle server never waits.
   */
  #gatherWrites(): void {
    if (this.#isGathering || this.status !== 'ready') return;
    const { stream } = this;
    this.#isGathering = true;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  /**
   * A peer that vanished without closing (a dead host, a cut cable) is noticed by the kernel after many minutes.
   * Here it is noticed when commands wait and nothing at all arrives.
   */
  #watchForSilence(): void {
    const { stream } = this;
    let byteCount = stream.bytesRead;
    let isSuspect = false;
    const timer = setInterval(() => {
      const isSilent = this.commandQueue.length > 0 && stream.bytesRead === byteCount;
      byteCount = stream.bytesRead;
      if (isSilent && isSuspect) stream.destroy(new Error('Redis is silent'));
      isSuspect = isSilent;
    }, this.#bounds.silenceMaxMs / 2);
    timer.unref();
    stream.once('close', () => clearInterval(timer));
  }
}

/** As {@link BoundedRedis}, for all nodes of a cluster. Its node connections are never reused after a close. */
export class BoundedCluster extends Cluster {
  readonly #commandTimeoutMs: number;

  constructor(nodes: ClusterNode[], options: ClusterOptions, bounds: CommandBounds) {
    super(nodes, {
      ...options,
      redisOptions: {
        ...options.redisOptions,
        commandTimeout: Math.max(bounds.commandTimeoutMs, bounds.handshakeTimeoutMs),
        socketTimeout: bounds.silenceMaxMs,
      },
      lazyConnect: true,
    });
    this.#commandTimeoutMs = bounds.commandTimeoutMs;
    // ioredis connects to a node at its first command, and refuses all others until that connection stands.
    this.on('ready', () => this.nodes().forEach(connectWaiting));
    this.on('+node', (node: Redis) => {
      if (this.status === 'ready') connectWaiting(node);
    });
  }

  override sendCommand(command: Command, stream?: Stream, node?: unknown): unknown {
    endInTime(command, this.#commandTimeoutMs, () => withdraw(this, command));
    const { reject } = command;
    let isSent = false;
    // What is refused before it is sent is reported in the same words as what was under way when a node broke.
    command.reject = (error) => reject(isSent ? error : new Error(neverSent, { cause: error }));
    const reply = super.sendCommand(command, stream, node);
    isSent = true;
    return reply;
  }
}

function connectWaiting(node: Redis): void {
  if (node.status === 'wait') node.connect().catch(() => undefined);
}

/** ioredis keeps this to itself; what is read of it here are two methods of a double-ended queue. */
interface OfflineQueue {
  peekFront(): { readonly command: Command } | undefined;
  shift(): unknown;
}

/** Commands end in the order in which they were queued, so the one that ends is in front, if it is there at all. */
function withdraw(connection: Redis | Cluster, command: Command): boolean {
  const queue: OfflineQueue = Reflect.get(connection, 'offlineQueue');
  if (queue.peekFront()?.command !== command) return false;
  queue.shift();
  return true;
}
