import type { BenchResult } from '../measuring/result.js';
export async function publish(_a: BenchResult): Promise<string[]> {
  return [];
}
