/** Look-ups of one call that wait for the application's master data at the same time. */
const PARALLEL_MAX = 16;

/** Works on items in their order, several at a time; rejects with the first error. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const take = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: PARALLEL_MAX }, take));
}
