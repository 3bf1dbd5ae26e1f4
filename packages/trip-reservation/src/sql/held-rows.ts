import { type Deadline, PostgresFailure, settleBy } from '@solegate/postgres-infra';

/**
 * The few places for statements that wait for a row which somebody holds. Such a row may be held for long, by a
 * migration or a person; whoever waits for it must not take the connections of those who do not.
 *
 * A place is given for one short wait, first come, first served; who still finds the row held queues again. So twenty
 * held rows share the places, and each is tried in turn.
 */
export class HeldRows {
  readonly #waiting = new Set<() => void>();
  #freeCount: number;

  /** @param placeCount from 1 */
  constructor(placeCount: number) {
    this.#freeCount = placeCount;
  }

  /** @throws PostgresFailure `BUSY` when no place was free before the deadline; what `attempt` throws */
  async take<Result>(deadline: Deadline, attempt: () => Promise<Result>): Promise<Result> {
    if (this.#freeCount > 0) this.#freeCount -= 1;
    else await this.#place(deadline);
    try {
      return await attempt();
    } finally {
      this.#giveBack();
    }
  }

  #place(deadline: Deadline): Promise<void> {
    let admit = (): void => undefined;
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    this.#waiting.add(admit);
    return settleBy(admitted, deadline, () => {
      this.#waiting.delete(admit);
      return rowHeld();
    });
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#freeCount += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

export const rowHeld = (): PostgresFailure =>
  new PostgresFailure('BUSY', 'a row was held by somebody else until the deadline');
