/**
 * Returns the smallest list found that still fails. Leaves out halves, quarters and so on, then single items, for as
 * long as the rest still fails. For a failure that is not deterministic, `fails` itself has to retry.
 *
 * @param fails runs a list; true if it still fails
 * @param playMax the most lists to run
 */
export async function shrink<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
  playMax: number,
): Promise<readonly Item[]> {
  let smallest = items;
  let plays = 0;
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < smallest.length && plays < playMax; ) {
      const rest = smallest.filter((_, index) => index < from || index >= from + size);
      plays += 1;
      if (rest.length < smallest.length && (await fails(rest))) smallest = rest;
      else from += size;
    }
  }
  return smallest;
}
