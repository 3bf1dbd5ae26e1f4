/** The median of at least one number; the mean of the two middle values if their count is even. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which `share` (0 to 1) of the numbers lie, interpolated between neighbours. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('a quantile of no values does not exist');
  const sorted = [...values].sort((left, right) => left - right);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** Half the distance from smallest to largest, as a share of the median: 0.1 reads as "± 10 %". */
export function relativeSpread(values: readonly number[]): number {
  const middle = Math.abs(median(values));
  if (middle === 0) return 0;
  return (Math.max(...values) - Math.min(...values)) / 2 / middle;
}

/**
 * The probability that chance alone makes two samples differ in rank at least as much as these do (two-sided, exact
 * permutation of the Mann-Whitney statistic). Ranks, not means: one slow repeat on a busy machine shifts it by only one
 * rank. Limited to 10 values per side, which is enough for a bench of a few repeats.
 */
export function rankDifferenceChance(left: readonly number[], right: readonly number[]): number {
  if (left.length === 0 || right.length === 0) return 1;
  if (left.length > 10 || right.length > 10) throw new RangeError('at most 10 repeats a side are compared');
  const observed = Math.abs(rankSurplus(left, right));
  const all = [...left, ...right];
  let asExtreme = 0;
  let total = 0;
  forEachChoice(all.length, left.length, (chosen) => {
    const taken = all.filter((_, index) => chosen.has(index));
    const rest = all.filter((_, index) => !chosen.has(index));
    total += 1;
    if (Math.abs(rankSurplus(taken, rest)) >= observed) asExtreme += 1;
  });
  return asExtreme / total;
}

/** Pairs that the left side wins minus pairs that it loses. */
function rankSurplus(left: readonly number[], right: readonly number[]): number {
  let surplus = 0;
  for (const one of left) for (const other of right) surplus += Math.sign(one - other);
  return surplus;
}

function forEachChoice(size: number, count: number, visit: (chosen: ReadonlySet<number>) => void): void {
  const chosen = new Set<number>();
  const extend = (from: number): void => {
    if (chosen.size === count) {
      visit(chosen);
      return;
    }
    for (let index = from; index <= size - (count - chosen.size); index += 1) {
      chosen.add(index);
      extend(index + 1);
      chosen.delete(index);
    }
  };
  extend(0);
}
