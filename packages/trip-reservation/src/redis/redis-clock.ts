/**
 * Estimates the time on Redis's clock from its last reply, so that a command can carry its deadline in the only clock
 * that its script can read. The clocks of processes and of Redis need not agree; they only need to run at the same
 * rate for the duration of a command.
 *
 * The estimate is never behind, because Redis read its clock no earlier than the command was sent. If the clock jumps
 * or another server replies, one command is wrongly treated as late; its reply corrects the estimate.
 */
export class RedisClock {
  #aheadMs: number | undefined;

  /** @param redisMs Redis's clock in the reply @param askedAt when the command was sent, by `performance` */
  learn(redisMs: number, askedAt: number): void {
    this.#aheadMs = redisMs - askedAt;
  }

  /** Returns the time `afterMs` from now on Redis's clock, rounded up; 0 until a reply was seen. */
  moment(afterMs: number): number {
    return this.#aheadMs === undefined ? 0 : Math.ceil(performance.now() + afterMs + this.#aheadMs);
  }
}
