const PER_SUBJECT_MAX = 100;
const ALL_MAX = 20_000;

/** Limits the open streams (WebSockets and event streams) per person and per process. */
export class SubscriberPlaces {
  readonly #taken = new Map<bigint, number>();
  #allCount = 0;

  /** Returns false if the limit is reached. */
  take(subjectId: bigint): boolean {
    const count = this.#taken.get(subjectId) ?? 0;
    if (count >= PER_SUBJECT_MAX || this.#allCount >= ALL_MAX) return false;
    this.#taken.set(subjectId, count + 1);
    this.#allCount += 1;
    return true;
  }

  giveBack(subjectId: bigint): void {
    const count = this.#taken.get(subjectId) ?? 0;
    if (count === 0) return;
    if (count === 1) this.#taken.delete(subjectId);
    else this.#taken.set(subjectId, count - 1);
    this.#allCount -= 1;
  }
}
