/** What a load process reports of one call. */
export type LoadReport =
  /** A number, and the key it was requested under: each key is used by one caller. */
  | { readonly kind: 'number'; readonly key: string; readonly number: string }
  /** An answer to `acceptTrip`. */
  | { readonly kind: 'press'; readonly offer: string; readonly driverId: string; readonly isWinner: boolean }
  /** No answer, or a refusal, however often it was tried. */
  | { readonly kind: 'failed' };

/** Counts answers, and those that contradict a promise. The gateway's own counts are not used. */
export class Tally {
  readonly #keyByNumber = new Map<string, string>();
  readonly #winnersByOffer = new Map<string, Set<string>>();
  duplicateCount = 0;
  pressCount = 0;
  secondWinnerCount = 0;
  failedCount = 0;

  get numberCount(): number {
    return this.#keyByNumber.size;
  }

  get raceCount(): number {
    return this.#winnersByOffer.size;
  }

  add(report: LoadReport): void {
    if (report.kind === 'failed') this.failedCount += 1;
    else if (report.kind === 'number') this.#addNumber(report);
    else this.#addPress(report);
  }

  #addNumber({ key, number }: Extract<LoadReport, { kind: 'number' }>): void {
    const known = this.#keyByNumber.get(number);
    if (known === undefined) this.#keyByNumber.set(number, key);
    else if (known !== key) this.duplicateCount += 1;
  }

  #addPress({ offer, driverId, isWinner }: Extract<LoadReport, { kind: 'press' }>): void {
    this.pressCount += 1;
    const winners = this.#winnersByOffer.get(offer) ?? new Set();
    this.#winnersByOffer.set(offer, winners);
    if (!isWinner || winners.has(driverId)) return;
    winners.add(driverId);
    if (winners.size > 1) this.secondWinnerCount += 1;
  }
}
