/** Two: while PostgreSQL works on one, the other is prepared or answered. */
const SHARED_MAX = 2;

/** A place of a round, to be given back when it ends. */
export interface RoundPlace {
  /** Whether the round counted as a shared one and does so no longer. */
  stopSharing(): boolean;
  giveBack(): void;
}

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

  /** Whether a round may start that skips locked rows. */
  hasShared(writers: readonly string[]): boolean {
    return writers.length > 0 ? this.#hasWriting(writers) : this.#sharedCount < SHARED_MAX;
  }

  /** Whether a round may start that waits for locked rows. */
  hasWaiting(writers: readonly string[]): boolean {
    return writers.length > 0 ? this.#hasWriting(writers) : this.#waitingCount < this.#waitingMax;
  }

  #hasWriting(writers: readonly string[]): boolean {
    const isFree = (writer: string) => (this.#byWriter.get(writer) ?? 0) < this.#sameWriterMax;
    return this.#writingCount < this.#writingMax && writers.every(isFree);
  }

  /** @param isShared whether a round that waits counts as a shared one at first, so that arriving requests gather */
  take(writers: readonly string[], waits: boolean, isShared: boolean): RoundPlace {
    if (writers.length > 0) {
      this.#countWriting(writers, 1);
      return { stopSharing: () => false, giveBack: () => this.#countWriting(writers, -1) };
    }
    let isCountedShared = !waits || isShared;
    if (isCountedShared) this.#sharedCount += 1;
    if (waits) this.#waitingCount += 1;
    const stopSharing = (): boolean => {
      const wasShared = isCountedShared;
      if (wasShared) this.#sharedCount -= 1;
      isCountedShared = false;
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

  #countWriting(writers: readonly string[], change: number): void {
    this.#writingCount += change;
    for (const writer of writers) this.#byWriter.set(writer, (this.#byWriter.get(writer) ?? 0) + change);
  }
}
