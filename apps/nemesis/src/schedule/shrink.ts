/**
 * The smallest list found that still fails: halves, quarters and so on are left out for as long as what remains fails,
 * then single items. A failure that chance has a part in is tried again by `fails` itself.
 *
 * @param fails plays a list; true when it still shows the fault
 * @param playMax lists to play at most
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
