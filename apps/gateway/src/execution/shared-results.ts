/**
 * Results of events that several subscriptions receive. A result is made once for each group of subscriptions and lives
 * as long as its event, that is, until the slowest of them has read it.
 */
export class SharedResults {
  readonly #byEvent = new WeakMap<object, Map<string, Promise<string>>>();

  /** Returns the result for the group, made by `make` unless another subscription of the group has asked before. */
  of(event: unknown, group: string, make: () => Promise<string>): Promise<string> {
    if (typeof event !== 'object' || event === null) return make();
    let results = this.#byEvent.get(event);
    if (results === undefined) {
      results = new Map();
      this.#byEvent.set(event, results);
    }
    let result = results.get(group);
    if (result === undefined) {
      result = make();
      results.set(group, result);
    }
    return result;
  }
}
