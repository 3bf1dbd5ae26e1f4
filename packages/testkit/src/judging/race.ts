/**
 * Waits until every contender of the race has reached the barrier or has ended, then releases all of them in one turn
 * of the event loop. Preparation (connecting, reading a version) goes before it, the contended step after it.
 */
export type Barrier = () => Promise<void>;

/**
 * Runs `count` contenders against each other and returns all outcomes, in the order of their index.
 *
 * All of them are started in one turn. A contender that needs preparation uses the second argument and awaits it:
 * `race(50, async (index, barrier) => { const client = await connect(); await barrier(); return accept(client); })`.
 * A contender that fails neither stops nor hides the others. Call the barrier at most once per contender.
 *
 * @param count number of contenders, from 1; their indexes are 0 … count - 1
 */
export async function race<T>(
  count: number,
  contender: (index: number, barrier: Barrier) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const awaited = new Set(Array.from({ length: count }, (_, index) => index));
  const arrive = (index: number) => {
    awaited.delete(index);
    if (awaited.size === 0) open();
  };
  const run = async (index: number) => {
    try {
      return await contender(index, () => {
        arrive(index);
        return opened;
      });
    } finally {
      arrive(index);
    }
  };
  return Promise.allSettled(Array.from({ length: count }, (_, index) => run(index)));
}

/**
 * Returns the values of a race in which every contender must succeed.
 *
 * @throws AggregateError with every failure, if any contender threw
 */
export function valuesOf<T>(outcomes: readonly PromiseSettledResult<T>[]): T[] {
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
  if (failures.length > 0) {
    throw new AggregateError(
      failures.map((failure) => failure.reason),
      `${failures.length} of ${outcomes.length} contenders failed, the first with: ${String(failures[0]?.reason)}`,
    );
  }
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}
