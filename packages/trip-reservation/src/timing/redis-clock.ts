import type { Deadline } from '@solegate/postgres-infra';

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

  /**
   * Sends a command with its deadline on Redis's clock; undefined if Redis received it too late. Sends it again if it was
   * late and yet answered in time: the estimate was wrong.
   */
  async ask<Reply extends { readonly redisMs: number; readonly isLate: boolean }>(
    deadline: Deadline,
    command: (moment: number) => Promise<Reply>,
  ): Promise<Reply | undefined> {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const askedAt = performance.now();
      const reply = await command(this.moment(deadline.leftMs));
      // Redis was right: the caller has given up, and the time this took is not its clock's.
      if (reply.isLate && deadline.hasPassed) break;
      this.#aheadMs = reply.redisMs - askedAt;
      if (!reply.isLate) return reply;
    }
    return undefined;
  }

  /** Returns the time `afterMs` from now on Redis's clock, rounded up; 0 until a reply was seen. */
  moment(afterMs: number): number {
    return this.#aheadMs === undefined ? 0 : Math.ceil(performance.now() + afterMs + this.#aheadMs);
  }
}
