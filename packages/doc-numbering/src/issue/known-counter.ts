import type { Position } from '../request/resolved-request.js';

/** What this process knows of one counter, from PostgreSQL and from Redis. */
export class KnownCounter {
  #id: string | undefined;
  #position: Position | undefined;
  #issuedMark = 0;
  #issuedAtMs = 0;
  #rememberedMark = 0;
  #markedFor: string | undefined;

  /** Id of its row, once the row was found. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The last position that this process received. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** Highest number that PostgreSQL reported to this process. */
  get issuedMark(): number {
    return this.#issuedMark;
  }

  /** When that number was reported, in ms of a monotonic clock. */
  get issuedAtMs(): number {
    return this.#issuedAtMs;
  }

  /** Highest number that Redis remembered when last read. */
  get rememberedMark(): number {
    return this.#rememberedMark;
  }

  /** The counter must be at least here; otherwise numbers were lost. */
  get floor(): number {
    return Math.max(this.#issuedMark, this.#rememberedMark);
  }

  /** Whether Redis was read for this PostgreSQL. */
  isMarkedFor(server: string | undefined): boolean {
    return this.#markedFor === server;
  }

  /** Records the row that PostgreSQL has for the counter. */
  open(id: string, position: Position): void {
    this.#id = id;
    this.learn(position);
  }

  /** Returns what a transaction knows: what this process knows, and the row as the transaction sees it. */
  branch(id: string, position: Position): KnownCounter {
    const branch = new KnownCounter();
    branch.#issuedMark = this.#issuedMark;
    branch.#rememberedMark = this.#rememberedMark;
    branch.open(id, position);
    return branch;
  }

  /** Records the position that PostgreSQL last reported. */
  learn(position: Position): void {
    this.#position = position;
    if (position.last < this.#issuedMark) return;
    this.#issuedMark = position.last;
    this.#issuedAtMs = performance.now();
  }

  /** Records what Redis remembers, read for a PostgreSQL: another process might have drawn last. */
  hear(mark: Position | undefined, server: string | undefined): void {
    this.#rememberedMark = mark?.last ?? 0;
    this.#markedFor = server;
    if (mark && (!this.#position || mark.last > this.#position.last)) this.#position = mark;
  }

  /** Discards what was known before, after a person has accepted a lower position of the counter. */
  accept(position: Position): void {
    this.#position = position;
    this.#issuedMark = position.last;
    this.#rememberedMark = Math.min(this.#rememberedMark, position.last);
  }

  /** Records that Redis has forgotten the mark. */
  forgetMark(): void {
    this.#rememberedMark = 0;
  }
}
