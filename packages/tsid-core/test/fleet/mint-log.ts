/** The IDs of one scenario, by process, in the order of minting. */
export class MintLog {
  private readonly minted = new Map<string, BigUint64Array[]>();

  add(process: string, ids: BigUint64Array): void {
    const batches = this.minted.get(process) ?? [];
    batches.push(ids);
    this.minted.set(process, batches);
  }

  countOf(process: string): number {
    return (this.minted.get(process) ?? []).reduce((sum, { length }) => sum + length, 0);
  }

  /** The IDs of one process, in the order of minting. */
  all(process: string): BigUint64Array {
    return concatenated(this.minted.get(process) ?? []);
  }

  get count(): number {
    return [...this.minted.keys()].reduce((sum, process) => sum + this.countOf(process), 0);
  }

  /** How many IDs equal another one, of any process. */
  duplicateCount(): number {
    const all = concatenated([...this.minted.values()].flat()).sort();
    let count = 0;
    for (let index = 1; index < all.length; index++) if (all[index] === all[index - 1]) count++;
    return count;
  }

  /** How many IDs are not greater than the one before from the same process. */
  orderBreakCount(): number {
    let count = 0;
    for (const batches of this.minted.values()) {
      const ids = concatenated(batches);
      for (let index = 1; index < ids.length; index++)
        if ((ids[index] ?? 0n) <= (ids[index - 1] ?? 0n)) count++;
    }
    return count;
  }
}

function concatenated(batches: readonly BigUint64Array[]): BigUint64Array {
  const all = new BigUint64Array(batches.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const batch of batches) {
    all.set(batch, offset);
    offset += batch.length;
  }
  return all;
}

/** IDs as runs of successive numbers, [first, count], short enough for a line of JSON. */
export function toRuns(ids: BigUint64Array): [first: string, count: number][] {
  const runs: [string, number][] = [];
  let start = 0;
  for (let index = 1; index <= ids.length; index++) {
    if (index < ids.length && ids[index] === (ids[index - 1] ?? 0n) + 1n) continue;
    runs.push([String(ids[start]), index - start]);
    start = index;
  }
  return ids.length === 0 ? [] : runs;
}

/** The inverse of {@link toRuns}. */
export function fromRuns(runs: readonly (readonly [first: string, count: number])[]): BigUint64Array {
  const ids = new BigUint64Array(runs.reduce((sum, [, count]) => sum + count, 0));
  let offset = 0;
  for (const [first, count] of runs) {
    for (let index = 0, id = BigInt(first); index < count; index++, id++) ids[offset++] = id;
  }
  return ids;
}
