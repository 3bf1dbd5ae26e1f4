/** A stream of numbers in [0, 1) that is the same for the same seed. */
export type RandomSource = () => number;

/**
 * Derives every choice of a run (order of subjects, which driver asks for which trip) from one printed seed, so that a
 * surprising run can be repeated. 32 bits of state are plenty for schedules; nothing here is secret.
 */
export function seededRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    mixed ^= mixed >>> 16;
    return (mixed >>> 0) / 2 ** 32;
  };
}

/** Returns the items in random order; does not change the input. */
export function shuffled<Item>(items: readonly Item[], random: RandomSource): Item[] {
  const order = items.map((item) => ({ item, key: random() }));
  order.sort((left, right) => left.key - right.key);
  return order.map(({ item }) => item);
}
