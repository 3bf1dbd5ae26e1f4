import type { BenchResult } from '../measuring/result.js';
export function comparisonTable(_a: BenchResult, _b: BenchResult): string {
  return '';
}
