import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '@solegate/redis-infra';
import type { NodeLeaseOptions } from '../lease-options.js';
import type { LeaseTerms } from '../lease-terms.js';
import {
  type ClaimReply,
  claimScript,
  type ReleaseReply,
  type RenewReply,
  releaseScript,
  renewScript,
} from './lease-scripts.js';

/** A node in the hands of this process. Whoever shows the last token may renew it. */
export interface HeldGrant {
  readonly node: number;
  readonly floorMs: number;
  readonly ceilingMs: number;
  /** The claim it was granted to; part of the visible key for the life of the grant. */
  readonly claim: string;
  readonly token: string;
  /** Token of a renewal that may or may not have been applied. */
  readonly nextToken: string;
}

/** The keys of one fleet. The hash tag keeps the three in one slot of a cluster. */
export function fleetKeys(namespace: string): [slots: string, grants: string, meta: string] {
  return [`{${namespace}}:slots`, `{${namespace}}:grants`, `{${namespace}}:meta`];
}

/** Where the leases of one namespace are kept: each method is one round trip and returns what Redis decided. */
export class NodeFleet {
  readonly namespace: string;
  private knownAllocatorId: string;
  /** False until the allocator is known: then any that Redis has pinned will do. */
  private insistsOnAllocator: boolean;
  private readonly redis: RedisConnection;
  private readonly keys: [slots: string, grants: string, meta: string];
  private readonly terms: LeaseTerms;
  /** Visible keys have no common hash tag, and the node is chosen inside the script: not possible in a cluster. */
  private readonly visiblePrefix: string;

  constructor(options: NodeLeaseOptions, terms: LeaseTerms) {
    this.redis = options.redis;
    this.terms = terms;
    this.namespace = options.namespace ?? 'sys:tsid';
    this.keys = fleetKeys(this.namespace);
    this.knownAllocatorId = options.allocatorId ?? randomUUID();
    this.insistsOnAllocator = options.allocatorId !== undefined;
    this.visiblePrefix = options.redis.isCluster ? '' : `${this.namespace}:node:`;
  }

  /** The allocator's identity: the caller's, or what Redis had pinned already, or a fresh one. */
  get allocatorId(): string {
    return this.knownAllocatorId;
  }

  /** @throws RedisFailure. Repeat the same claim with `isRepeat` after an unknown outcome. */
  async claim(claim: string, isRepeat: boolean, isTrusted: boolean): Promise<ClaimReply> {
    const reply = await claimScript.run(this.redis, this.keys, [
      claim,
      this.terms.holder,
      isRepeat ? 1 : 0,
      isTrusted ? 1 : 0,
      this.visiblePrefix,
      this.terms.layout.nodeMax + 1,
      ...this.pins(),
      this.insistsOnAllocator ? 1 : 0,
      Math.floor(this.terms.clock()),
    ]);
    if (reply.kind === 'granted') {
      this.knownAllocatorId = reply.allocatorId;
      this.insistsOnAllocator = true;
    }
    return reply;
  }

  /** @throws RedisFailure. Repeat with the same grant after an unknown outcome. */
  renew(grant: HeldGrant): Promise<RenewReply> {
    return renewScript.run(this.redis, this.keys, [
      grant.node,
      grant.token,
      grant.nextToken,
      grant.claim,
      this.terms.holder,
      grant.floorMs,
      grant.ceilingMs,
      this.visiblePrefix,
      ...this.pins(),
    ]);
  }

  /** @throws RedisFailure. The window then ends by itself at its ceiling. */
  release(grant: HeldGrant, unmintedFromMs: number): Promise<ReleaseReply> {
    const [slots, grants] = this.keys;
    return releaseScript.run(
      this.redis,
      [slots, grants],
      [grant.node, grant.token, grant.nextToken, unmintedFromMs, this.visiblePrefix],
    );
  }

  /** The value this process has for a field that the fleet pins. */
  pin(field: 'layout' | 'epochMs' | 'windowMs' | 'skewMaxMs' | 'allocatorId'): string {
    const { layout, windowMs, skewMaxMs } = this.terms;
    const { name, epochMs } = layout;
    return String({ layout: name, epochMs, windowMs, skewMaxMs, allocatorId: this.allocatorId }[field]);
  }

  private pins(): string[] {
    return (['layout', 'epochMs', 'windowMs', 'skewMaxMs', 'allocatorId'] as const).map((field) =>
      this.pin(field),
    );
  }
}
