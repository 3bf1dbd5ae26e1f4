import { type Deadline, Places, PostgresFailure } from '@solegate/postgres-infra';

/**
 * Limits how many statements wait for a locked row at a time. A row can stay locked for long, by a migration or a
 * manual session, and the calls that wait for it must not use up the connections of all other calls.
 *
 * A place is granted for one short wait, first come, first served; a call that still finds the row locked queues again.
 * So twenty locked rows share the places, and each is tried in turn.
 */
export class HeldRows {
  readonly #places: Places;

  /** @param placeCount at least 1 */
  constructor(placeCount: number) {
    this.#places = new Places(placeCount);
  }

  /** @throws PostgresFailure `BUSY` if no place became free before the deadline; whatever `attempt` throws */
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
  new PostgresFailure('BUSY', 'another session held the row until the deadline');
