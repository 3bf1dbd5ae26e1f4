import { GatewayError } from '../errors/gateway-error.js';

/** For one connection: twice the largest body. */
const CONNECTION_MAX = 2_000_000;
/** For one address, behind which there may be a whole office. */
const ADDRESS_MAX = 16_000_000;
const PROCESS_MAX = 64_000_000;
/** How long a client may leave what it was sent unread. */
const UNREAD_MS = 30_000;
const SWEEP_MS = 1_000;

/** Bytes that a connection makes this process hold. */
export interface Holding {
  /**
   * States how many bytes are held now.
   *
   * @returns whether the holding, its address and the process are within their limits
   */
  resize(bytes: number): boolean;
  /** Releases the bytes; nothing is counted after that. */
  end(): void;
}

interface Held {
  readonly address: string;
  readonly bytesMax: number;
  readonly cut: (() => void) | undefined;
  bytes: number;
  /** When the bytes last became fewer. */
  sinceMs: number;
}

/**
 * One account of the bytes that clients make this process hold: request bodies, what subscriptions keep of them, answers
 * and messages that clients do not read. Most lie outside the heap, which alone would not limit them. Whoever holds them
 * is known by address only, because most are held before anyone can be asked for a token.
 */
export class HeldBytes {
  readonly #held = new Set<Held>();
  readonly #byAddress = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #allBytes = 0;

  /** @param now monotonic milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#timer = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  get byteCount(): number {
    return this.#allBytes;
  }

  /** Whether more may be begun for an address. */
  hasRoom(address: string): boolean {
    if (this.#allBytes === 0) return true;
    return this.#allBytes <= PROCESS_MAX && (this.#byAddress.get(address) ?? 0) <= ADDRESS_MAX;
  }

  /**
   * @param cut disconnects a client that leaves bytes unread; called after 30 seconds in which none were read
   * @param bytesMax limit of this holding. Default: that of a connection
   */
  open(address: string, cut?: () => void, bytesMax = CONNECTION_MAX): Holding {
    const held: Held = { address, bytesMax, cut, bytes: 0, sinceMs: 0 };
    let isOver = false;
    return {
      resize: (bytes) => isOver || this.#resize(held, bytes),
      end: () => {
        this.#resize(held, 0);
        isOver = true;
      },
    };
  }

  /** Disconnects the clients that have read nothing for too long. */
  sweep(): void {
    const now = this.now();
    for (const { sinceMs, cut } of this.#held) {
      if (now - sinceMs >= UNREAD_MS) cut?.();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #resize(held: Held, bytes: number): boolean {
    const added = bytes - held.bytes;
    if (added === 0) return bytes <= held.bytesMax;
    if (held.bytes === 0 || added < 0) held.sinceMs = this.now();
    held.bytes = bytes;
    if (bytes === 0) this.#held.delete(held);
    else this.#held.add(held);
    this.#allBytes += added;
    const ofAddress = (this.#byAddress.get(held.address) ?? 0) + added;
    if (ofAddress === 0) this.#byAddress.delete(held.address);
    else this.#byAddress.set(held.address, ofAddress);
    return bytes <= held.bytesMax && this.hasRoom(held.address);
  }
}

export function tooManyBytes(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    reason: 'TOO_MANY_BYTES',
    message:
      'Too many bytes from or for your address are waiting; read what you were sent, send less at a time.',
    retryable: true,
    retryAfterMs: 1_000,
  });
}
