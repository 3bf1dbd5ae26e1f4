const COUNT = new Intl.NumberFormat('en');
const ONE_DECIMAL = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const TWO_DECIMALS = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const PART = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** 12345 → 12,345 */
export function count(value: number): string {
  return COUNT.format(value);
}

/** 1234.567 → 1,234.57 */
export function figure(value: number): string {
  return TWO_DECIMALS.format(value);
}

/** 1 row, 2 rows */
export function countOf(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** 12.34 → 12.3 ms */
export function milliseconds(value: number): string {
  return `${ONE_DECIMAL.format(value)} ms`;
}

/** 0.123 → 12.3%; what is used is never 0. */
export function part(value: number): string {
  return value > 0 && value < 0.0005 ? `< ${PART.format(0.001)}` : PART.format(value);
}

/** 12345678 → 12.3 MB */
export function megabytes(bytes: number): string {
  return `${ONE_DECIMAL.format(bytes / 1_000_000)} MB`;
}

/** The quantile at `share`; 0 if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
