import {
  Cluster,
  type ClusterNode,
  type ClusterOptions,
  type Command,
  Redis,
  type RedisOptions,
} from 'ioredis';

import { endInTime, neverSent } from './command-deadline.js';

/** Time limits for the commands of a connection. */
export interface CommandBounds {
  /** From the call until it settles, in milliseconds, whatever the state of the connection. */
  readonly commandTimeoutMs: number;
  /** For commands that log in and check a new connection, in milliseconds. */
  readonly handshakeTimeoutMs: number;
  /** Reconnect if commands are pending and the server sends no byte for this long, in milliseconds. */
  readonly silenceMaxMs: number;
}

/** Commands that log in and check a new connection. ioredis has a similar list since 5.9. */
const HANDSHAKE_COMMANDS = new Set(['auth', 'client', 'hello', 'info', 'readonly', 'select']);

type Stream = Parameters<Redis['sendCommand']>[1];

/**
 * An ioredis connection on which every command settles within its time limit.
 *
 * ioredis has two options for this, neither sufficient. `commandTimeout` times out a command whose reply is already in
 * the socket. `socketTimeout` has a timer that outlives a reconnect and then breaks the new connection.
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
   * While earlier commands are pending, all commands sent in one turn of the event loop leave in one write, because a
   * system call costs more than the rest of sending a command. A command to an idle server never waits.
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
   * Detects a peer that vanished without closing (a dead host, a cut cable), which takes the kernel many minutes.
   * It counts as vanished when commands are pending and no data arrives.
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

/** Like {@link BoundedRedis}, for all nodes of a cluster. Node connections are never reused after they close. */
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
    // ioredis connects to a node at its first command, and rejects all others until it is connected.
    this.on('ready', () => this.nodes().forEach(connectWaiting));
    this.on('+node', (node: Redis) => {
      if (this.status === 'ready') connectWaiting(node);
    });
  }

  override sendCommand(command: Command, stream?: Stream, node?: unknown): unknown {
    endInTime(command, this.#commandTimeoutMs, () => withdraw(this, command));
    const { reject } = command;
    let isSent = false;
    // ioredis uses the same messages for commands it never sent and commands in progress when a node failed.
    command.reject = (error) => reject(isSent ? error : new Error(neverSent, { cause: error }));
    const reply = super.sendCommand(command, stream, node);
    isSent = true;
    return reply;
  }
}

function connectWaiting(node: Redis): void {
  if (node.status === 'wait') node.connect().catch(() => undefined);
}

/** The two methods used here of a private double-ended queue of ioredis. */
interface OfflineQueue {
  peekFront(): { readonly command: Command } | undefined;
  shift(): unknown;
}

/** Commands time out in the order in which they were queued, so this one is in front, if it is queued at all. */
function withdraw(connection: Redis | Cluster, command: Command): boolean {
  const queue: OfflineQueue = Reflect.get(connection, 'offlineQueue');
  if (queue.peekFront()?.command !== command) return false;
  queue.shift();
  return true;
}
