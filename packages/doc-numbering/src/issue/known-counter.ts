import { isBefore } from '../redis/high-water-marks.js';
import type { Position } from '../request/resolved-request.js';

const NOWHERE: Position = { version: 0, last: 0 };

/** What this process knows of one counter, from PostgreSQL and from Redis. */
export class KnownCounter {
  #id: string | undefined;
  #server: string | undefined;
  #markedOn: string | undefined;
  #last = NOWHERE;
  #reported = NOWHERE;
  #mark = NOWHERE;

  /** The PostgreSQL that its row was found on. */
  get server(): string | undefined {
    return this.#server;
  }

  /**
   * Id of its row on that PostgreSQL; another might have given it to another counter. The counter must be at least at
   * the floor, otherwise numbers were lost. In an era that has ended, any number is below it.
   */
  get row(): {
    readonly id: string | undefined;
    readonly server: string | undefined;
    readonly floor: number;
  } {
    const { last } = this.#mark;
    const isEnded = isBefore(this.#last, this.#mark) && this.#last.last >= last;
    return { id: this.#id, server: this.#server, floor: isEnded ? Number.MAX_SAFE_INTEGER : last };
  }

  /** The last position that this process received. */
  get position(): Position {
    return isBefore(this.#last, this.#mark) ? this.#mark : this.#last;
  }

  /** The highest position that PostgreSQL reported to this process, or Redis remembered when last read. */
  get mark(): Position {
    return this.#mark;
  }

  /** Whether its row and its mark were read for this PostgreSQL. */
  isReadOn(server: string): boolean {
    return this.#server === server && this.#markedOn === server;
  }

  /** Whether Redis was read for this PostgreSQL. */
  isMarkedFor(server: string): boolean {
    return this.#markedOn === server;
  }

  /** Records the row that a PostgreSQL has for the counter. */
  open(id: string, position: Position, server: string): void {
    this.#id = id;
    this.#server = server;
    this.learn(position);
  }

  /** Discards the row, because it is gone. */
  lose(): void {
    this.#server = undefined;
  }

  /** Returns what a transaction knows: what this process knows, and the row as the transaction sees it. */
  branch(id: string, position: Position, server: string): KnownCounter {
    const branch = new KnownCounter();
    branch.#reported = this.#reported;
    branch.#mark = this.#mark;
    branch.open(id, position, server);
    return branch;
  }

  /** Records the position that PostgreSQL last reported; what another one reports means nothing. */
  learn(position: Position, server = ''): void {
    if (server !== '' && server !== this.#server) return;
    this.#last = position;
    if (isBefore(position, this.#reported)) return;
    this.#reported = position;
    if (!isBefore(position, this.#mark)) this.#mark = position;
  }

  /** Records what Redis remembers, read for a PostgreSQL: another process might have drawn last. */
  hear(server: string, mark = NOWHERE): void {
    this.#mark = isBefore(this.#reported, mark) ? mark : this.#reported;
    this.#markedOn = server;
  }
}
