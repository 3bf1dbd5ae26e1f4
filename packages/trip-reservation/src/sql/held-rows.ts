import { type Deadline, Places, PostgresFailure } from '@solegate/postgres-infra';

/**
 * The few places for statements that wait for a row which somebody holds. Such a row may be held for long, by a
 * migration or a person; whoever waits for it must not take the connections of those who do not.
 *
 * A place is given for one short wait, first come, first served; who still finds the row held queues again. So twenty
 * held rows share the places, and each is tried in turn.
 */
export class HeldRows {
  readonly #places: Places;

  /** @param placeCount from 1 */
  constructor(placeCount: number) {
    this.#places = new Places(placeCount);
  }

  /** @throws PostgresFailure `BUSY` when no place was free before the deadline; what `attempt` throws */
  async take<Result>(deadline: Deadline, attempt: () => Promise<Result>): Promise<Result> {
    await this.#places.take(deadline, rowHeld);
    try {
      return await attempt();
    } finally {
      this.#places.giveBack();
    }
  }
}

export const rowHeld = (): PostgresFailure =>
  new PostgresFailure('BUSY', 'a row was held by somebody else until the deadline');
