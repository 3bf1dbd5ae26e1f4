import type { Violation } from '../measuring/result.js';

/** The IDs that one process of a fleet minted, in order. */
export interface MintedByProcess {
  readonly ids: BigUint64Array;
  readonly node: number;
}

/** Checks that no ID occurs twice in the whole fleet, and that the IDs of each process only increase. */
export function verifyIds(processes: readonly MintedByProcess[]): Violation[] {
  return [...orderBreaks(processes), ...repeated(processes)];
}

function orderBreaks(processes: readonly MintedByProcess[]): Violation[] {
  const violations: Violation[] = [];
  processes.forEach(({ ids }, process) => {
    for (let index = 1; index < ids.length; index += 1) {
      const before = ids[index - 1] ?? 0n;
      const after = ids[index] ?? 0n;
      if (after > before) continue;
      violations.push({ rule: 'ordered', witness: `process ${process} minted ${after} after ${before}` });
      return;
    }
  });
  return violations;
}

function repeated(processes: readonly MintedByProcess[]): Violation[] {
  const all = new BigUint64Array(processes.reduce((total, { ids }) => total + ids.length, 0));
  let offset = 0;
  for (const { ids } of processes) {
    all.set(ids, offset);
    offset += ids.length;
  }
  all.sort();
  const index = all.findIndex((id, position) => position > 0 && id === all[position - 1]);
  const id = all[index];
  if (id === undefined) return [];
  const owners = processes.flatMap(({ ids, node }, process) =>
    ids.includes(id) ? [`process ${process} on node ${node}`] : [],
  );
  return [{ rule: 'unique', witness: `ID ${id} was minted twice: ${owners.join(' and ')}` }];
}
