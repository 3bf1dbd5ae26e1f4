/*
 * The 32 bytes that threads of one process share to mint on one node.
 *
 *     0   position    64 bits: (ms since the epoch, sequence) of the last ID; all ones while closed
 *     8   ceiling     64 bits: first millisecond (Unix) that must not be minted
 *     16  generation  32 bits: odd while the owner writes node and ceiling
 *     20  node        32 bits
 *     24  reason      32 bits: why it is closed
 *
 * The position decides: an ID belongs to the thread whose compare-exchange moved the position there. The position only
 * grows, so a thread that slept between reading and exchanging cannot succeed with a stale read. To revoke a node, the
 * owner closes the position first. No thread can mint afterwards, and only the owner knows the last position. The owner
 * then writes the next node and opens again above that position, never at it, since an old read must not become valid
 * again. A thread that sees the new position therefore sees the new node too.
 *
 * The position is read as two halves, which allocates no bigint. Mixing halves of two positions is harmless: the
 * exchange succeeds only if the position equals what was read.
 */
import { joinHalves, LOW } from '../codec/id-cell.js';
import type { NodeUnavailableReason } from '../codec/tsid-error.js';

/** Length of the shared buffer. */
export const SHARED_BYTES = 32;
const CLOSED = 2n ** 64n - 1n;
const GENERATION = 4;
const NODE = 5;
const REASON = 6;
const REASONS: readonly NodeUnavailableReason[] = ['lost', 'ended', 'released', 'closed'];

/** Typed access to the shared bytes, for the owner and for every thread. */
export class SharedCell {
  /** The position last read: milliseconds since the epoch, and the sequence within that millisecond. */
  elapsedMs = 0;
  sequence = 0;
  /** The node and its ceiling last read. */
  node = 0;
  ceilingMs = 0;
  #generation = -1;
  readonly #perMs: number;
  readonly #wide: BigUint64Array;
  readonly #words: Int32Array;

  constructor(sequenceBits: number, buffer: SharedArrayBuffer) {
    this.#perMs = 2 ** sequenceBits;
    this.#wide = new BigUint64Array(buffer);
    this.#words = new Int32Array(buffer);
  }

  /** Reads the position, and the window if it changed. Returns false while closed, keeping the last values read. */
  read(): boolean {
    const high = Atomics.load(this.#words, 1 - LOW) >>> 0;
    const low = Atomics.load(this.#words, LOW) >>> 0;
    if (high + low === 2 * 0xffff_ffff) return false;
    this.elapsedMs = high * (4_294_967_296 / this.#perMs) + Math.floor(low / this.#perMs);
    this.sequence = low % this.#perMs;
    for (;;) {
      const generation = Atomics.load(this.#words, GENERATION);
      if (generation === this.#generation) return true;
      this.node = Atomics.load(this.#words, NODE);
      this.ceilingMs = Number(Atomics.load(this.#wide, 1));
      // An odd generation means a write in progress: it is not stored, so the window is read again.
      this.#generation = generation % 2 === 0 ? generation : -1;
    }
  }

  /** Moves the position if it is still the one last read, and returns whether it moved. */
  move(elapsedMs: number, sequence: number): boolean {
    const seen = this.#encode(this.elapsedMs, this.sequence);
    return Atomics.compareExchange(this.#wide, 0, seen, this.#encode(elapsedMs, sequence)) === seen;
  }

  get reason(): NodeUnavailableReason {
    return REASONS[Atomics.load(this.#words, REASON)] ?? 'closed';
  }

  /** Owner only. Publishes a window to all threads. */
  publish(node: number, ceilingMs: number): void {
    Atomics.add(this.#words, GENERATION, 1);
    Atomics.store(this.#words, NODE, node);
    Atomics.store(this.#wide, 1, BigInt(ceilingMs));
    Atomics.add(this.#words, GENERATION, 1);
  }

  /**
   * Owner only, after publish. Minting resumes above this millisecond, and above the position that was closed. At that
   * exact position, a thread that had read it before the node was revoked could move it and mint on the old node.
   */
  openAbove(elapsedMs: number): void {
    const isClosedOne = elapsedMs === this.elapsedMs && this.sequence === this.#perMs - 1;
    Atomics.store(this.#wide, 0, this.#encode(isClosedOne ? elapsedMs + 1 : elapsedMs, this.#perMs - 1));
  }

  /** Owner only. No thread mints after this, and the position read last is final. */
  close(reason: NodeUnavailableReason): void {
    Atomics.store(this.#words, REASON, REASONS.indexOf(reason));
    while (this.read()) {
      const seen = this.#encode(this.elapsedMs, this.sequence);
      if (Atomics.compareExchange(this.#wide, 0, seen, CLOSED) === seen) return;
    }
  }

  #encode(elapsedMs: number, sequence: number): bigint {
    const perHigh = 4_294_967_296 / this.#perMs;
    return joinHalves(elapsedMs / perHigh, (elapsedMs % perHigh) * this.#perMs + sequence);
  }
}
