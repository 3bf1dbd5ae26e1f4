/*
 * What threads of one process share to mint on one node: 32 bytes.
 *
 *     0   position    64 bits: (ms since the epoch, sequence) of the last ID; all ones while closed
 *     8   ceiling     64 bits: first millisecond (Unix) that may not be minted
 *     16  generation  32 bits: odd while the owner writes node and ceiling
 *     20  node        32 bits
 *     24  reason      32 bits: why it is closed
 *
 * The position decides: an ID belongs to the thread whose compare-exchange moved the position there. It only grows, so a
 * thread that slept between reading and exchanging cannot succeed with what it read. To take a node away the owner
 * closes the position first: no thread can mint afterwards, and the last position is known to the owner alone. It opens
 * again above that position (never at it: what was read there before must not be valid again) with the next node, which is written before, so whoever sees the new position sees the new
 * node too.
 *
 * The position is read as two halves, which costs no bigint. Halves of two different positions do no harm: the exchange
 * succeeds only if what was read is what is there.
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
  /** The position last read: the millisecond since the epoch and the sequence inside it. */
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

  /** Reads the position, and the window if it changed. False while closed: what was read last stays. */
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
      // Written half at this moment: an odd number is not remembered, and the window is read once more.
      this.#generation = generation % 2 === 0 ? generation : -1;
    }
  }

  /** Moves the position if it is still the one last read. */
  move(elapsedMs: number, sequence: number): boolean {
    const seen = this.#encode(this.elapsedMs, this.sequence);
    return Atomics.compareExchange(this.#wide, 0, seen, this.#encode(elapsedMs, sequence)) === seen;
  }

  get reason(): NodeUnavailableReason {
    return REASONS[Atomics.load(this.#words, REASON)] ?? 'closed';
  }

  /** The owner alone: the window that threads will see from now on. */
  publish(node: number, ceilingMs: number): void {
    Atomics.add(this.#words, GENERATION, 1);
    Atomics.store(this.#words, NODE, node);
    Atomics.store(this.#wide, 1, BigInt(ceilingMs));
    Atomics.add(this.#words, GENERATION, 1);
  }

  /**
   * The owner alone, after publish: minting begins above this millisecond, and above the position that was closed. At that
   * position itself a thread that read it before the node was taken away could still move it, and mint on the old node.
   */
  openAbove(elapsedMs: number): void {
    const isClosedOne = elapsedMs === this.elapsedMs && this.sequence === this.#perMs - 1;
    Atomics.store(this.#wide, 0, this.#encode(isClosedOne ? elapsedMs + 1 : elapsedMs, this.#perMs - 1));
  }

  /** The owner alone: no thread mints after this. The position read last is then the last one of all. */
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
