/**
 * What Redis's clock shows, estimated from its last answer: so a command can say until when it is wanted in the only
 * clock that its script can read. Clocks of processes and of Redis need not agree; they only must run equally fast for the
 * length of a command.
 *
 * The estimate is never behind: an answer was read no earlier than the question was sent. When the clock jumps, or another
 * server answers, one command is called late that is not; its answer says so and sets the estimate right.
 */
export class RedisClock {
  readonly #now: () => number;
  #aheadMs: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param redisMs what Redis's clock showed @param askedAt when it was asked, by our clock */
  learn(redisMs: number, askedAt: number): void {
    this.#aheadMs = redisMs - askedAt;
  }

  /** The moment of Redis's clock `afterMs` from now, rounded up; 0 while nothing is known of it. */
  moment(afterMs: number): number {
    return this.#aheadMs === undefined ? 0 : Math.ceil(this.#now() + afterMs + this.#aheadMs);
  }
}
