/*
 * A node leased from Redis.
 *
 * Authority: Redis decides who may mint on a node, and it grants not a moment but a window of timestamps,
 * floor <= t < ceiling. Every floor is at or above the node's last ceiling, and the generator mints inside its window
 * only. Two holders of one node, one after the other or by mistake at once, therefore cannot make equal IDs, whatever
 * their clocks read and however long one of them was stopped. Clocks decide only whether a holder can mint *now*.
 *
 * States: held -> (lost | ended) -> held on another node ... -> released (final).
 *   held      the window is in force until its ceiling; a third of it after the last renewal it is renewed.
 *   lost      Redis says that somebody else has the node, or the token is not the last one. Dropped at once.
 *   ended     the window was over before Redis heard of a renewal. Dropped at once.
 *   released  the window was shortened to the last timestamp minted; the next holder starts right above it.
 *
 * Timing: window >= 2 renewals + skew, so one lost renewal ends nothing. A Redis that is away is survived for
 * window - renewEvery at least; a holder that died blocks its node for one window.
 *
 * Tokens: each renewal shows the last token and brings the next one, both known before it is sent. An answer that was
 * lost is repeated with the same pair and accepted either way. A copy of this process (a restored or cloned machine)
 * shows a token that was used up and is lost at its next renewal, one window at most after it began.
 *
 * Redis lost its memory (new run ID, wiped, evicted, failed over to a stale replica): no node is granted for
 * window + skew. Whatever had been granted before ends in that time, and holders that live report theirs by renewing.
 *
 * Failures: unavailable and unknown leave the window in force; renewing is tried again until an answer comes.
 */
import type { RedisConnection } from '@solegate/redis-infra';
import type { TsidLayout } from '../codec/layout.js';
import type { NodeSource, NodeUser, NodeWindow } from '../generator/node-source.js';
import { claimNode } from './claim-node.js';
import { type HeldGrant, NodeFleet } from './fleet/node-fleet.js';
import { forgetfulness } from './forgetful-redis.js';
import { HeldNode, type Missing } from './held-node.js';
import { LeasePinMismatchError, NodeLeaseQuarantinedError } from './lease-error.js';
import type { NodeLeaseEvent } from './lease-event.js';
import type { NodeLeaseHealth } from './lease-health.js';
import { LeaseKeeper } from './lease-keeper.js';
import type { NodeLeaseOptions } from './lease-options.js';
import { LeaseSigns } from './lease-signs.js';
import { type LeaseTerms, leaseTerms } from './lease-terms.js';

/** Longest pause between two looks at a quarantine: it ends earlier when an operator vouches for Redis. */
const QUARANTINE_LOOK_MS = 1_000;

/**
 * Leases a node from Redis and keeps it until `release()`. Give the lease to one generator of this process.
 * @throws InvalidLeaseOptionsError, NodeLeaseUnavailableError, NodeLeaseQuarantinedError, NodesExhaustedError,
 *   LeasePinMismatchError, ClockDifferenceError. Nothing is held then.
 */
export async function leaseNode(options: NodeLeaseOptions): Promise<NodeLease> {
  const lease = new NodeLease(options);
  await lease.begin(options.redis);
  return lease;
}

/** A node that is held, renewed in the background and replaced when it is lost. Made by {@link leaseNode}. */
export class NodeLease implements NodeSource, AsyncDisposable {
  readonly layout: TsidLayout;
  readonly namespace: string;
  readonly runAheadMaxMs: number;
  private readonly terms: LeaseTerms;
  private readonly fleet: NodeFleet;
  private readonly held: HeldNode;
  private readonly signs: LeaseSigns;
  private readonly keeper: LeaseKeeper;
  private releasing: Promise<void> | undefined;

  /** @internal Use leaseNode. */
  constructor(options: NodeLeaseOptions) {
    this.terms = leaseTerms(options);
    this.layout = this.terms.layout;
    this.runAheadMaxMs = this.terms.skewMaxMs;
    this.fleet = new NodeFleet(options, this.terms);
    this.namespace = this.fleet.namespace;
    this.held = new HeldNode(this.namespace, this.terms.clock);
    this.signs = new LeaseSigns(this.layout.nodeMax + 1, options.onEvent);
    this.keeper = new LeaseKeeper(() => this.keep(), this.terms.automatic);
  }

  /** @internal The first claim. */
  async begin(redis: RedisConnection): Promise<void> {
    await this.claim(this.terms.trustEmptyRedis, this.terms.waitMaxMs);
    this.keeper.schedule(this.terms.renewEveryMs);
    void this.warnOfForgetfulRedis(redis);
  }

  /** The node in force; undefined while there is none. */
  get node(): number | undefined {
    return this.held.grant?.node;
  }

  /** Identity of the allocator that granted the node, as pinned in Redis. */
  get allocatorId(): string {
    return this.fleet.allocatorId;
  }

  /** The window in force, or why there is none. */
  window(): NodeWindow | Missing {
    return this.held.window();
  }

  /** Registers the generator that mints in the windows; the generator does it itself. */
  attach(user: NodeUser): () => void {
    return this.held.attach(user);
  }

  /** Settles when there is a window; rejects with NodeUnavailableError after timeoutMs or once released. */
  ready(timeoutMs: number): Promise<void> {
    return this.held.ready(timeoutMs);
  }

  /** Renews now instead of at the planned time; claims another node if there is none. Failures are told as events. */
  renew(): Promise<void> {
    return this.releasing ?? this.keeper.run();
  }

  /** Hears every event from now on. Returns the function that unsubscribes. */
  subscribe(listener: (event: NodeLeaseEvent) => void): () => void {
    return this.signs.subscribe(listener);
  }

  /** The lease at this moment, without asking Redis. */
  health(): NodeLeaseHealth {
    const now = this.terms.clock();
    const { grant, isOpen, lastMintedMs = now } = this.held;
    return {
      state: this.releasing !== undefined ? 'released' : grant === undefined ? 'waiting' : 'held',
      healthy: isOpen,
      namespace: this.namespace,
      node: grant?.node,
      holder: this.terms.holder,
      floorMs: grant?.floorMs,
      ceilingMs: grant?.ceilingMs,
      windowLeftMs: Math.max(0, (grant?.ceilingMs ?? now) - now),
      runAheadMs: Math.max(0, lastMintedMs - now),
      ...this.signs.measured(),
    };
  }

  /**
   * Ends the lease: minting stops at once, and the node is free for others right above the last ID. If Redis cannot be
   * told, the window ends by itself. Never rejects; may be called twice.
   */
  release(): Promise<void> {
    this.releasing ??= this.end();
    return this.releasing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  /** One turn of the keeper: returns the pause until the next one. */
  private async keep(): Promise<number> {
    const { grant } = this.held;
    try {
      if (grant !== undefined) return await this.extend(grant);
      await this.claim(false, 0);
      return this.terms.renewEveryMs;
    } catch (cause) {
      if (grant !== undefined) {
        this.signs.tell({
          kind: 'renewalFailed',
          node: grant.node,
          windowLeftMs: this.health().windowLeftMs,
          cause,
        });
        return this.terms.retryEveryMs;
      }
      const isQuarantined = cause instanceof NodeLeaseQuarantinedError;
      const retryInMs = isQuarantined ? Math.min(cause.leftMs, QUARANTINE_LOOK_MS) : this.terms.retryEveryMs;
      if (isQuarantined) this.signs.tell({ kind: 'quarantined', leftMs: cause.leftMs });
      else this.signs.tell({ kind: 'claimFailed', retryInMs, cause });
      return retryInMs;
    }
  }

  private async claim(isTrusted: boolean, waitMaxMs: number): Promise<void> {
    const { grant, differenceMs, liveCount } = await claimNode(this.fleet, this.terms, {
      isTrusted,
      waitMaxMs,
      onQuarantine: (leftMs) => this.signs.tell({ kind: 'quarantined', leftMs }),
    });
    if (this.releasing !== undefined) {
      await this.fleet.release(grant, grant.floorMs);
      return;
    }
    this.held.hold(grant);
    this.signs.answered(differenceMs, liveCount);
    const { node, floorMs, ceilingMs } = grant;
    this.signs.tell({ kind: 'leased', node, floorMs, ceilingMs });
  }

  private async extend(grant: HeldGrant): Promise<number> {
    const askedMs = performance.now();
    const reply = await this.fleet.renew(grant);
    if (this.releasing !== undefined) return 0;
    if (reply.kind !== 'renewed') {
      const reason = reply.kind === 'ended' ? 'ended' : 'lost';
      const detail =
        reply.kind === 'pinned'
          ? new LeasePinMismatchError(reply.field, reply.pinned, this.fleet.pin(reply.field)).message
          : reply.detail;
      this.held.drop(reason);
      this.signs.tell({ kind: 'lost', node: grant.node, reason, detail });
      return 0;
    }
    const { ceilingMs, nowMs, liveCount } = reply;
    this.held.hold({ ...grant, ceilingMs, token: grant.nextToken, nextToken: this.terms.randomToken() });
    this.signs.answered(this.terms.clock() - nowMs, liveCount);
    const latencyMs = performance.now() - askedMs;
    this.signs.tell({ kind: 'renewed', node: grant.node, ceilingMs, latencyMs });
    return this.terms.renewEveryMs;
  }

  private async end(): Promise<void> {
    const grant = this.held.drop('released');
    await this.keeper.stop();
    if (grant === undefined) return;
    try {
      await this.fleet.release(grant, (this.held.lastMintedMs ?? grant.floorMs - 1) + 1);
      this.signs.tell({ kind: 'released', node: grant.node });
    } catch {
      const message = `Redis could not be told that node ${grant.node} is free; its window ends by itself.`;
      this.signs.tell({ kind: 'warning', message });
    }
  }

  private async warnOfForgetfulRedis(redis: RedisConnection): Promise<void> {
    for (const message of await forgetfulness(redis)) this.signs.tell({ kind: 'warning', message });
  }
}
