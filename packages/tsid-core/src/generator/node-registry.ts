import { NodeInUseError } from '../codec/tsid-error.js';

/*
 * Two generators on one node in one process would mint equal IDs. They can come about without anybody asking for them:
 * an ESM and a CommonJS copy of this package, two versions in node_modules, a bundle beside a module. So the record of
 * who mints hangs on globalThis under a registered symbol, where all copies see it, and its shape is plain data.
 */
interface NodeEntry {
  open: boolean;
  /** Last millisecond minted by anybody on this node: the next generator starts above it. */
  lastMs: number;
}

const REGISTRY = Symbol.for('@solegate/tsid-core/nodes');

function entries(): Map<string, NodeEntry> {
  const holder = globalThis as { [REGISTRY]?: Map<string, NodeEntry> };
  holder[REGISTRY] ??= new Map();
  return holder[REGISTRY];
}

/**
 * Takes the node for one generator.
 * @returns The first millisecond that may be minted, 0 if the node is new to this process.
 * @throws NodeInUseError while another generator has it.
 */
export function occupyNode(namespace: string, node: number): number {
  const key = `${namespace}/${node}`;
  const entry = entries().get(key);
  if (entry?.open) throw new NodeInUseError(namespace, node);
  const lastMs = entry?.lastMs ?? -1;
  entries().set(key, { open: true, lastMs });
  return lastMs + 1;
}

/** Gives the node back after its last ID. */
export function vacateNode(namespace: string, node: number, lastMs: number): void {
  entries().set(`${namespace}/${node}`, { open: false, lastMs });
}
