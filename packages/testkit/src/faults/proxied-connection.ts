import type { Socket } from 'node:net';

/** Callbacks from a connection to its proxy. */
export interface ProxiedConnectionOwner {
  readonly dial: () => Socket;
  readonly onRequest: (bytes: Buffer) => 'deliver' | 'cut';
  readonly onReply: () => 'deliver' | 'cut';
  readonly onClose: () => void;
}

/**
 * One client's connection and its counterpart to the server.
 *
 * A held connection is not read: bytes wait in the kernel, and senders block when its buffers are full, as on a network
 * that swallows everything. Therefore the server is dialed only at the first `flow`: behind a black hole, a client
 * cannot see whether it exists. Replies go through a queue, each with a due time; without a delay they do not wait.
 */
export class ProxiedConnection {
  /** The client's local port, which identifies the connection. */
  readonly clientPort: number;
  readonly #client: Socket;
  readonly #owner: ProxiedConnectionOwner;
  #server: Socket | undefined;
  #replies: { bytes: Buffer; dueMs: number }[] = [];
  #repliesTimer: NodeJS.Timeout | undefined;
  #hasServerEnded = false;
  #isHeld = true;
  #delayMs = 0;

  constructor(client: Socket, owner: ProxiedConnectionOwner) {
    this.#client = client;
    this.#owner = owner;
    this.clientPort = client.remotePort ?? 0;
    client.pause();
    client.on('data', (bytes) => this.#takeRequest(bytes));
    client.on('end', () => this.#server?.end());
    client.on('drain', () => this.#regulate());
    client.on('error', () => this.reset());
    client.on('close', () => this.#close());
  }

  /** Lets bytes through; replies arrive `delayMs` after the server sent them. */
  flow(delayMs: number): void {
    this.#isHeld = false;
    this.#delayMs = delayMs;
    this.#server ??= this.#dial();
    this.#regulate();
    this.#deliverDue();
  }

  /** Lets nothing through; neither side notices. */
  hold(): void {
    this.#isHeld = true;
    this.#regulate();
  }

  /** Closes both sides normally (FIN); queued replies are lost. */
  cut(): void {
    this.#replies = [];
    this.#client.destroy();
    this.#server?.destroy();
  }

  /** Ends both sides with a TCP reset. */
  reset(): void {
    this.#replies = [];
    this.#client.resetAndDestroy();
    this.#server?.resetAndDestroy();
  }

  #dial(): Socket {
    const server = this.#owner.dial();
    server.on('data', (bytes) => this.#takeReply(bytes));
    server.on('drain', () => this.#regulate());
    server.on('error', () => this.reset());
    server.on('end', () => {
      this.#hasServerEnded = true;
      server.end();
      this.#deliverDue();
    });
    return server;
  }

  #takeRequest(bytes: Buffer): void {
    if (this.#owner.onRequest(bytes) === 'cut') {
      this.cut();
    } else {
      this.#server?.write(bytes);
      this.#regulate();
    }
  }

  #takeReply(bytes: Buffer): void {
    if (this.#owner.onReply() === 'cut') {
      this.cut();
    } else {
      const previousDueMs = this.#replies.at(-1)?.dueMs ?? 0;
      const dueMs = Math.max(previousDueMs, performance.now() + this.#delayMs);
      this.#replies.push({ bytes, dueMs });
      this.#deliverDue();
    }
  }

  #deliverDue(): void {
    clearTimeout(this.#repliesTimer);
    if (this.#isHeld || this.#client.destroyed) return;
    for (let next = this.#replies[0]; next !== undefined; next = this.#replies[0]) {
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0 && this.#delayMs > 0) {
        this.#repliesTimer = setTimeout(() => this.#deliverDue(), Math.ceil(waitMs));
        return;
      }
      this.#replies.shift();
      this.#client.write(next.bytes);
    }
    if (this.#hasServerEnded) this.#client.end();
    this.#regulate();
  }

  /** Reads from a side only while bytes may flow and the other side keeps up. */
  #regulate(): void {
    setPaused(this.#client, this.#isHeld || this.#server?.writableNeedDrain === true);
    if (this.#server) setPaused(this.#server, this.#isHeld || this.#client.writableNeedDrain);
  }

  #close(): void {
    clearTimeout(this.#repliesTimer);
    this.#server?.destroy();
    this.#owner.onClose();
  }
}

function setPaused(socket: Socket, isPaused: boolean): void {
  if (isPaused) socket.pause();
  else socket.resume();
}
