const COUNT = new Intl.NumberFormat('en');
const MILLISECONDS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const PART = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** 12345 → 12,345 */
export function count(value: number): string {
  return COUNT.format(value);
}

/** 12.34 → 12.3 ms */
export function milliseconds(value: number): string {
  return `${MILLISECONDS.format(value)} ms`;
}

/** 0.123 → 12.3% */
export function part(value: number): string {
  return PART.format(value);
}

/** The quantile at `share`; 0 if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
