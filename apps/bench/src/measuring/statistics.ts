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
 * distribution of the Mann-Whitney statistic). Ranks, not means: one slow repeat on a busy machine shifts it by only one
 * rank. Limited to 10 values per side, which is enough for a bench of a few repeats.
 */
export function rankDifferenceChance(left: readonly number[], right: readonly number[]): number {
  if (left.length > 10 || right.length > 10) throw new RangeError('at most 10 repeats a side are compared');
  const pairs = left.flatMap((one) => right.map((other) => (Math.sign(one - other) + 1) / 2));
  const wins = pairs.reduce((total, win) => total + win, 0);
  const fewer = Math.ceil(Math.min(wins, pairs.length - wins));
  const orders = (winsMax: number) => orderCount(winsMax, left.length, right.length);
  return Math.min(1, (2 * orders(fewer)) / orders(pairs.length));
}

/** In how many orders of two samples the left one wins at most so many pairs, by what is largest of all values. */
function orderCount(winsMax: number, leftCount: number, rightCount: number): number {
  if (winsMax < 0) return 0;
  if (leftCount === 0 || rightCount === 0) return 1;
  return (
    orderCount(winsMax - rightCount, leftCount - 1, rightCount) +
    orderCount(winsMax, leftCount, rightCount - 1)
  );
}
