import { randomUUID } from 'node:crypto';
import type { CallerFacts, ClaimReply, HeldGrant, ReleaseReply, RenewReply } from './lease-store.js';
import type { LeaseTerms } from './lease-terms.js';

/** The leases of one namespace. Each method is one round trip and returns the decision of the store. */
export class NodeFleet {
  readonly #terms: LeaseTerms;
  #allocatorId: string;
  /** False until the allocator is known: until then, any that the store has pinned is accepted. */
  #insistsOnAllocator: boolean;
  /** The latest version that the store has returned to this process. A lower one means that it was rolled back. */
  #version = 0;
  /** The longest quarantine that this process has seen, its own or the fleet's. */
  #quarantineMs: number;

  constructor(terms: LeaseTerms) {
    this.#terms = terms;
    this.#allocatorId = terms.allocatorId ?? randomUUID();
    this.#insistsOnAllocator = terms.allocatorId !== undefined;
    this.#quarantineMs = terms.quarantineMs;
  }

  /** The allocator's identity: the caller's, the one pinned in the store, or a new one. */
  get allocatorId(): string {
    return this.#allocatorId;
  }

  /** Repeat the same claim with `isRepeat` after an unknown outcome. @throws whatever the store throws */
  async claim(claim: string, isRepeat: boolean, isTrusted: boolean): Promise<ClaimReply> {
    const { store } = this.#terms;
    const insistsOnAllocator = this.#insistsOnAllocator;
    const reply = await store.claim({
      ...this.#facts(),
      claim,
      isRepeat,
      isTrusted,
      insistsOnAllocator,
    });
    if (reply.kind === 'granted') {
      this.#allocatorId = reply.allocatorId;
      this.#insistsOnAllocator = true;
      this.#learn(reply);
    }
    return reply;
  }

  /** Repeat with the same grant after an unknown outcome. @throws whatever the store throws */
  async renew(grant: HeldGrant): Promise<RenewReply> {
    const reply = await this.#terms.store.renew({ ...this.#facts(), grant });
    if (reply.kind === 'renewed') this.#learn(reply);
    return reply;
  }

  /** @throws whatever the store throws. The window then ends by itself at its ceiling. */
  release(grant: HeldGrant, unmintedFromMs: number): Promise<ReleaseReply> {
    const { store, namespace } = this.#terms;
    return store.release({ namespace, grant, unmintedFromMs, version: this.#version });
  }

  /** Returns this process's value of a setting that the fleet agrees on. */
  pin(field: 'layout' | 'epochMs' | 'allocatorId' | 'quarantineMs' | 'store' | 'nodes'): string {
    const { store, nodes, windowMs, skewMaxMs } = this.#terms;
    const { layout, epochMs, allocatorId } = this.#facts();
    const quarantineMs = windowMs + skewMaxMs;
    const all = { layout, epochMs, allocatorId, quarantineMs, store: store.name };
    return String({ ...all, nodes: `${nodes.first} to ${nodes.last}` }[field]);
  }

  #facts(): CallerFacts {
    const { namespace, holder, layout, windowMs, skewMaxMs, now, nodes } = this.#terms;
    return {
      namespace,
      holder,
      layout: layout.name,
      epochMs: layout.epochMs,
      allocatorId: this.#allocatorId,
      windowMs,
      skewMaxMs,
      quarantineMs: this.#quarantineMs,
      version: this.#version,
      nowMs: Math.floor(now()),
      nodes,
    };
  }

  #learn({ version, quarantineMs }: { readonly version: number; readonly quarantineMs: number }): void {
    this.#version = Math.max(this.#version, version);
    this.#quarantineMs = Math.max(this.#quarantineMs, quarantineMs);
  }
}
