import { NodeInUseError } from '../codec/tsid-error.js';

/*
 * Two generators on one node in one process would mint duplicate IDs. This can happen by accident: an ESM and a
 * CommonJS copy of this package, two versions in node_modules, a bundle beside a module. The registry of nodes in use
 * is therefore plain data on globalThis under a registered symbol, where all copies see it.
 *
 * A static node without a namespace is in the way of every lease: which node a lease gets, and moves to, is not known in
 * advance. So neither is accepted while a generator of the other kind is open.
 */
interface NodeEntry {
  open: boolean;
  /** The last millisecond that any generator minted on this node; the next generator starts above it. */
  lastMs: number;
  kind: NodeKind;
}

/** Who guarantees that a node is unique: a lease, or the caller for one namespace or for all. */
export type NodeKind = 'leased' | 'static' | 'named';

const REGISTRY = Symbol.for('@solegate/tsid-core/nodes');

function entries(): Map<string, NodeEntry> {
  const holder = globalThis as { [REGISTRY]?: Map<string, NodeEntry> };
  holder[REGISTRY] ??= new Map();
  return holder[REGISTRY];
}

/** The node that one generator is registered for. */
export class RegisteredNode {
  readonly #namespace: string;
  readonly #kind: NodeKind;
  /** -1 for none. */
  #node = -1;

  constructor(namespace: string, kind: NodeKind) {
    this.#namespace = namespace;
    this.#kind = kind;
  }

  get node(): number {
    return this.#node;
  }

  /**
   * Reserves a node instead of the one before, on which the generator minted up to `lastMs`.
   * @returns The first millisecond that may be minted, 0 if this process has not used the node before.
   * @throws NodeInUseError while another generator has it, or might get it.
   */
  enter(node: number, lastMs: number): number {
    const key = `${this.#namespace}/${node}`;
    const entry = entries().get(key);
    const contrary = { leased: 'static', static: 'leased', named: undefined }[this.#kind];
    const isInTheWay = [...entries().values()].some(({ open, kind }) => open && kind === contrary);
    if (entry?.open || isInTheWay) throw new NodeInUseError(this.#namespace, node, isInTheWay);
    this.leave(lastMs);
    entries().set(key, { open: true, lastMs: entry?.lastMs ?? -1, kind: this.#kind });
    this.#node = node;
    return (entry?.lastMs ?? -1) + 1;
  }

  /** Frees the node, if any, and records the last millisecond minted on it. */
  leave(lastMs: number): void {
    if (this.#node < 0) return;
    entries().set(`${this.#namespace}/${this.#node}`, { open: false, lastMs, kind: this.#kind });
    this.#node = -1;
  }
}
