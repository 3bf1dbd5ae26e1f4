import { NodeInUseError } from '../codec/tsid-error.js';

/*
 * Two generators on one node in one process would mint duplicate IDs. This can happen by accident: an ESM and a
 * CommonJS copy of this package, two versions in node_modules, a bundle beside a module. The registry of nodes in use
 * is therefore plain data on globalThis under a registered symbol, where all copies see it.
 */
interface NodeEntry {
  open: boolean;
  /** The last millisecond that any generator minted on this node; the next generator starts above it. */
  lastMs: number;
}

const REGISTRY = Symbol.for('@solegate/tsid-core/nodes');

function entries(): Map<string, NodeEntry> {
  const holder = globalThis as { [REGISTRY]?: Map<string, NodeEntry> };
  holder[REGISTRY] ??= new Map();
  return holder[REGISTRY];
}

/**
 * Reserves the node for one generator.
 * @returns The first millisecond that may be minted, 0 if this process has not used the node before.
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

/** Frees the node and records the last millisecond minted on it. */
export function vacateNode(namespace: string, node: number, lastMs: number): void {
  entries().set(`${namespace}/${node}`, { open: false, lastMs });
}
