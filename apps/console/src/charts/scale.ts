/** Maps values to chart coordinates. */
export type Scale = (value: number) => number;

export function linear(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): Scale {
  const span = to - from || 1;
  return (value) => start + ((value - from) / span) * (end - start);
}

/** Round values from 0 or `low` to at least `high`, about `wanted` of them. */
export function ticks(low: number, high: number, wanted = 5): readonly number[] {
  const span = high - low || 1;
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.floor(low / step) * step;
  const length = Math.ceil((high - first) / step - 1e-9) + 1;
  return Array.from({ length }, (_, index) => Number((first + index * step).toPrecision(12)));
}
