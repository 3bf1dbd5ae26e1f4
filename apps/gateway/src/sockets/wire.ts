import type { Duplex } from 'node:stream';
import type { WebSocket as ProtocolSocket } from 'graphql-ws';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { HeldBytes, Holding } from '../budget/held-bytes.js';

/** What a socket may send before it is authenticated: enough for a token with many projects. */
const UNKNOWN_BYTES_MAX = 8_192;
const UNREAD_BYTES_MAX = 1_000_000;
const PONG = '{"type":"pong"}';
/** The caller may try again later; graphql-ws clients do. */
const TRY_AGAIN_LATER = [1013, 'Too many messages'] as const;

export interface WireParts {
  readonly held: HeldBytes;
  readonly address: string;
  readonly logger: Logger;
  /** Charges messages to the caller. Rejects if they have no points left. */
  readonly charge: (messageCount: number) => Promise<void>;
}

/**
 * One WebSocket, as graphql-ws uses it. Whatever the client sends costs a point, except for operations, which have their
 * own cost; replies carry nothing that it sent; a client that does not read is disconnected before its unread messages
 * exceed the limits of HeldBytes.
 */
export class Wire implements ProtocolSocket {
  readonly #unread: Holding;
  #unknownBytes = 0;
  #uncharged = 0;
  #isAlive = true;

  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Duplex,
    private readonly parts: WireParts,
  ) {
    this.#unread = parts.held.open(parts.address, () => socket.terminate());
    stream.on('data', this.#countUnknown);
    // ws has already closed the socket with the right code.
    socket.on('error', (error) => parts.logger.debug({ err: error }, 'a WebSocket was closed'));
    socket.on('ping', (data) => {
      this.#count();
      this.#write((written) => socket.pong(data, false, written));
    });
    socket.on('pong', () => {
      if (this.#isAlive) this.#count();
      this.#isAlive = true;
    });
    socket.once('close', () => this.#unread.end());
  }

  get protocol(): string {
    return this.socket.protocol;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Resolves once the client's side of the connection has taken the text, or is gone. */
  send(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#write((written) => this.socket.send(text, written), resolve);
    });
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  onMessage(handle: (text: string) => Promise<void>): void {
    this.socket.on('message', (data: Buffer) => {
      // Once it is closing, nothing can be sent to it.
      if (!this.isOpen) return;
      this.#count();
      handle(withoutExtras(data.toString())).catch((error: unknown) => {
        this.parts.logger.error({ err: error }, 'a WebSocket message could not be handled');
        this.socket.close(4500, 'Internal server error');
      });
    });
  }

  /** Without the payload, which graphql-ws would send back. */
  onPing(): Promise<void> {
    return this.send(PONG);
  }

  /** The message that is being handled costs no point of its own. To be called before anything is awaited. */
  waivePoint(): void {
    this.#uncharged -= 1;
  }

  /** Ends the limit of what strangers may send. */
  authenticated(): void {
    this.stream.off('data', this.#countUnknown);
  }

  /** Disconnects a client that has not answered the previous call, and asks it again. */
  beat(): void {
    if (!this.#isAlive) this.socket.terminate();
    this.#isAlive = false;
    this.#write((written) => this.socket.ping('', false, written));
  }

  #write(write: (written: () => void) => void, done?: () => void): void {
    if (!this.isOpen) {
      done?.();
      return;
    }
    write(() => {
      this.#unread.resize(this.socket.bufferedAmount);
      done?.();
    });
    const { bufferedAmount } = this.socket;
    if (!this.#unread.resize(bufferedAmount) || bufferedAmount > UNREAD_BYTES_MAX) this.socket.terminate();
  }

  readonly #countUnknown = (part: Buffer): void => {
    this.#unknownBytes += part.length;
    if (this.#unknownBytes > UNKNOWN_BYTES_MAX) this.socket.terminate();
  };

  /** Messages that arrive together are charged together. */
  #count(): void {
    if (!this.isOpen) return;
    if (this.#uncharged === 0) setImmediate(() => this.#charge());
    this.#uncharged += 1;
  }

  #charge(): void {
    const messageCount = this.#uncharged;
    this.#uncharged = 0;
    if (messageCount === 0) return;
    this.parts.charge(messageCount).catch(() => this.socket.close(...TRY_AGAIN_LATER));
  }
}

/** Leaves out members that the protocol does not have: graphql-ws keeps a message as long as its subscription. */
function withoutExtras(text: string): string {
  try {
    const { id, type, payload } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return JSON.stringify({ id, type, payload });
  } catch {
    // graphql-ws refuses it.
    return text;
  }
}
