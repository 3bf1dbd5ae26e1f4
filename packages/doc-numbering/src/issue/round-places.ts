/** Two: while PostgreSQL works on one, the other is prepared or answered. */
const SHARED_MAX = 2;

/** A place of a round, to be given back when it ends. */
export interface RoundPlace {
  /** Whether the round counted as a shared one and does so no longer. */
  stopSharing(): boolean;
  giveBack(): void;
}

/** What a round does at a locked row. `gathering`: it waits, but counts as shared at first, so that requests gather. */
type RoundKind = 'skipping' | 'waiting' | 'gathering';

/**
 * How many rounds run at a time, so that none of them can keep the connections from the others:
 *
 * | rounds | at most |
 * |---|---|
 * | that skip locked rows, without writers | two |
 * | that wait for locked rows, without writers | half of the connections |
 * | that call writers | a third of the connections, and of those, two for one writer; one of a few |
 */
export class RoundPlaces {
  readonly #waitingMax: number;
  readonly #writingMax: number;
  readonly #sameWriterMax: number;
  #sharedCount = 0;
  #waitingCount = 0;
  #writingCount = 0;
  readonly #byWriter = new Map<string, number>();

  constructor(connectionMax: number) {
    this.#waitingMax = Math.max(1, Math.floor(connectionMax / 2));
    this.#writingMax = Math.max(1, Math.floor(connectionMax / 3));
    this.#sameWriterMax = this.#writingMax > 2 ? SHARED_MAX : 1;
  }

  /** Returns `undefined` if there is none. */
  take(kind: RoundKind, writers: readonly string[]): RoundPlace | undefined {
    if (writers.length > 0) return this.#takeWriting(writers);
    const waits = kind !== 'skipping';
    let isShared = kind !== 'waiting';
    if (isShared && this.#sharedCount === SHARED_MAX) return undefined;
    if (waits && this.#waitingCount === this.#waitingMax) return undefined;
    if (isShared) this.#sharedCount += 1;
    if (waits) this.#waitingCount += 1;
    const stopSharing = (): boolean => {
      const wasShared = isShared;
      if (wasShared) this.#sharedCount -= 1;
      isShared = false;
      return wasShared;
    };
    return {
      stopSharing: () => waits && stopSharing(),
      giveBack: () => {
        stopSharing();
        if (waits) this.#waitingCount -= 1;
      },
    };
  }

  #takeWriting(writers: readonly string[]): RoundPlace | undefined {
    const isFree = (writer: string) => (this.#byWriter.get(writer) ?? 0) < this.#sameWriterMax;
    if (this.#writingCount === this.#writingMax || !writers.every(isFree)) return undefined;
    const change = (by: 1 | -1): void => {
      this.#writingCount += by;
      for (const writer of writers) this.#byWriter.set(writer, (this.#byWriter.get(writer) ?? 0) + by);
    };
    change(1);
    return { stopSharing: () => false, giveBack: () => change(-1) };
  }
}
