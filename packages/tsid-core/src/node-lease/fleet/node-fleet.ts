import { randomUUID } from 'node:crypto';
import {
  type ClaimReply,
  claimScript,
  type ReleaseReply,
  type RenewReply,
  releaseScript,
  renewScript,
} from './lease-scripts.js';
import type { LeaseTerms } from './lease-terms.js';

/** A node held by this process. The last token gives the right to renew it. */
export interface HeldGrant {
  readonly node: number;
  readonly floorMs: number;
  readonly ceilingMs: number;
  /** The claim that it was granted to; part of the visible key's value for the life of the grant. */
  readonly claim: string;
  readonly token: string;
  /** Token of a renewal that might already have been applied. */
  readonly nextToken: string;
}

/** Returns the keys of one fleet. The hash tag keeps all three in one cluster slot. */
export function fleetKeys(namespace: string): [slots: string, grants: string, meta: string] {
  return [`{${namespace}}:slots`, `{${namespace}}:grants`, `{${namespace}}:meta`];
}

/** The leases of one namespace in Redis. Each method is one round trip and returns the decision of Redis. */
export class NodeFleet {
  readonly #terms: LeaseTerms;
  readonly #keys: [slots: string, grants: string, meta: string];
  /** Empty in a cluster: visible keys share no hash tag, and the script chooses the node while it runs. */
  readonly #visiblePrefix: string;
  #allocatorId: string;
  /** False until the allocator is known: until then, any that Redis has pinned is accepted. */
  #insistsOnAllocator: boolean;
  /** The latest version that Redis has returned to this process. A lower one means that Redis was rolled back. */
  #version = 0;
  /** The longest quarantine that this process has seen, its own or the fleet's. */
  #quarantineMs: number;

  constructor(terms: LeaseTerms) {
    this.#terms = terms;
    this.#keys = fleetKeys(terms.namespace);
    this.#allocatorId = terms.allocatorId ?? randomUUID();
    this.#insistsOnAllocator = terms.allocatorId !== undefined;
    this.#quarantineMs = terms.quarantineMs;
    this.#visiblePrefix = terms.redis.isCluster ? '' : `${terms.namespace}:node:`;
  }

  /** The allocator's identity: the caller's, the one pinned in Redis, or a new one. */
  get allocatorId(): string {
    return this.#allocatorId;
  }

  /** @throws RedisFailure. Repeat the same claim with `isRepeat` after an unknown outcome. */
  async claim(claim: string, isRepeat: boolean, isTrusted: boolean): Promise<ClaimReply> {
    const { redis, holder, nodes, windowMs, skewMaxMs, now } = this.#terms;
    const reply = await claimScript.run(redis, this.#keys, [
      claim,
      holder,
      isRepeat ? 1 : 0,
      isTrusted ? 1 : 0,
      this.#visiblePrefix,
      nodes.last,
      ...this.#agreed(),
      this.#insistsOnAllocator ? 1 : 0,
      windowMs,
      skewMaxMs,
      this.#quarantineMs,
      this.#version,
      nodes.first,
      Math.floor(now()),
    ]);
    if (reply.kind === 'granted') {
      this.#allocatorId = reply.allocatorId;
      this.#insistsOnAllocator = true;
      this.#learn(reply);
    }
    return reply;
  }

  /** @throws RedisFailure. Repeat with the same grant after an unknown outcome. */
  async renew(grant: HeldGrant): Promise<RenewReply> {
    const { redis, holder, windowMs, skewMaxMs, now } = this.#terms;
    const reply = await renewScript.run(redis, this.#keys, [
      grant.node,
      grant.token,
      grant.nextToken,
      grant.claim,
      holder,
      grant.floorMs,
      grant.ceilingMs,
      this.#visiblePrefix,
      ...this.#agreed(),
      windowMs,
      skewMaxMs,
      this.#quarantineMs,
      this.#version,
      Math.floor(now()),
    ]);
    if (reply.kind === 'renewed') this.#learn(reply);
    return reply;
  }

  /** @throws RedisFailure. The window then ends by itself at its ceiling. */
  release(grant: HeldGrant, unmintedFromMs: number): Promise<ReleaseReply> {
    return releaseScript.run(this.#terms.redis, this.#keys, [
      grant.node,
      grant.token,
      grant.nextToken,
      unmintedFromMs,
      this.#visiblePrefix,
      this.#version,
    ]);
  }

  /** Returns this process's value of a setting that the fleet agrees on. */
  pin(field: 'layout' | 'epochMs' | 'allocatorId' | 'quarantineMs'): string {
    const { layout, windowMs, skewMaxMs } = this.#terms;
    const { name, epochMs } = layout;
    const quarantineMs = windowMs + skewMaxMs;
    return String({ layout: name, epochMs, allocatorId: this.#allocatorId, quarantineMs }[field]);
  }

  #agreed(): string[] {
    return (['layout', 'epochMs', 'allocatorId'] as const).map((field) => this.pin(field));
  }

  #learn({ version, quarantineMs }: { readonly version: number; readonly quarantineMs: number }): void {
    this.#version = Math.max(this.#version, version);
    this.#quarantineMs = Math.max(this.#quarantineMs, quarantineMs);
  }
}
