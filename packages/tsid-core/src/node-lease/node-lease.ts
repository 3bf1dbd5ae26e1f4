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
 * Redis may have lost its memory (fleet/fleet-memory.lua.ts lists how): no node is granted for one quarantine. Whatever
 * had been granted before ends in that time, and holders that live report theirs by renewing.
 *
 * Failures: a window that was granted is used up, whatever is heard meanwhile but that somebody else has the node. An
 * answer that does not come, a fleet that agreed on something else, a Redis whose clock says that the window is over:
 * renewing is tried again until the window ends by the clock of this process.
 */
import type { TsidLayout } from '../codec/layout.js';
import type { NodeSource, NodeUser, NodeWindow } from '../generator/node-source.js';
import { claimNode, QUARANTINE_LOOK_MS } from './claim-node.js';
import {
  ClockDifferenceError,
  LeasePinMismatchError,
  NodeLeaseQuarantinedError,
} from './fleet/lease-error.js';
import type { RenewReply } from './fleet/lease-scripts.js';
import type { LeaseTerms } from './fleet/lease-terms.js';
import { type HeldGrant, NodeFleet } from './fleet/node-fleet.js';
import { forgetfulness } from './forgetful-redis.js';
import { HeldNode, type Missing } from './held-node.js';
import { LeaseKeeper } from './lease-keeper.js';
import { clockDifference, LeaseMonitor, type NodeLeaseEvent, type NodeLeaseHealth } from './lease-monitor.js';
import { leaseTerms, type NodeLeaseOptions } from './lease-options.js';

/**
 * Leases a node from Redis and keeps it until `release()`. Give the lease to one generator of this process.
 * @throws InvalidLeaseOptionsError, NodeLeaseUnavailableError, NodeLeaseQuarantinedError, NodesExhaustedError,
 *   LeasePinMismatchError, ClockDifferenceError. Nothing is held then.
 */
export async function leaseNode(options: NodeLeaseOptions): Promise<NodeLease> {
  const lease = new NodeLease(options);
  await lease.begin();
  return lease;
}

/** A node that is held, renewed in the background and replaced when it is lost. Made by {@link leaseNode}. */
export class NodeLease implements NodeSource, AsyncDisposable {
  readonly layout: TsidLayout;
  readonly namespace: string;
  readonly runAheadMaxMs: number;
  readonly #terms: LeaseTerms;
  readonly #fleet: NodeFleet;
  readonly #held: HeldNode;
  readonly #monitor: LeaseMonitor;
  readonly #keeper: LeaseKeeper;
  #releasing: Promise<void> | undefined;

  /** @internal Use leaseNode. */
  constructor(options: NodeLeaseOptions) {
    this.#terms = leaseTerms(options);
    const { layout, namespace, skewMaxMs, now, automatic } = this.#terms;
    this.layout = layout;
    this.namespace = namespace;
    this.runAheadMaxMs = skewMaxMs;
    this.#fleet = new NodeFleet(this.#terms);
    this.#held = new HeldNode(namespace, now);
    this.#monitor = new LeaseMonitor(layout.nodeMax + 1, skewMaxMs, options.observer);
    this.#keeper = new LeaseKeeper(() => this.#keep(), automatic);
  }

  /** @internal The first claim. */
  async begin(): Promise<void> {
    const { redis, trustEmptyRedis, waitMaxMs, renewEveryMs } = this.#terms;
    await this.#claim(trustEmptyRedis, waitMaxMs);
    this.#keeper.schedule(renewEveryMs);
    void forgetfulness(redis).then((messages) => {
      for (const message of messages) this.#monitor.publish({ kind: 'warning', message });
    });
  }

  /** The node in force; undefined while there is none. */
  get node(): number | undefined {
    return this.#held.grant?.node;
  }

  /** Identity of the allocator that granted the node, as pinned in Redis. */
  get allocatorId(): string {
    return this.#fleet.allocatorId;
  }

  /** The window in force, or why there is none. */
  window(): NodeWindow | Missing {
    return this.#held.window();
  }

  /** Registers the generator that mints in the windows; the generator does it itself. */
  attach(user: NodeUser): () => void {
    return this.#held.attach(user);
  }

  /** Settles when there is a window; rejects with NodeUnavailableError after timeoutMs or once released. */
  ready(timeoutMs: number): Promise<void> {
    return this.#held.ready(timeoutMs);
  }

  /** Renews now instead of at the planned time; claims another node if there is none. Failures are published as events. */
  renew(): Promise<void> {
    return this.#releasing ?? this.#keeper.run();
  }

  /** Hears every event from now on. Returns the function that unsubscribes. */
  subscribe(listener: (event: NodeLeaseEvent) => void): () => void {
    return this.#monitor.subscribe(listener);
  }

  /** The lease at this moment, without asking Redis. */
  health(): NodeLeaseHealth {
    const now = this.#terms.now();
    const { grant, isOpen, lastMintedMs = now } = this.#held;
    return {
      state: this.#state(),
      healthy: isOpen,
      namespace: this.namespace,
      node: grant?.node,
      holder: this.#terms.holder,
      floorMs: grant?.floorMs,
      ceilingMs: grant?.ceilingMs,
      windowLeftMs: Math.max(0, (grant?.ceilingMs ?? now) - now),
      runAheadMs: Math.max(0, lastMintedMs - now),
      ...this.#monitor.measured(),
    };
  }

  /**
   * Ends the lease: minting stops at once, and the node is free for others right above the last ID. If Redis does not
   * answer, the window ends by itself. Never rejects; may be called twice.
   */
  release(): Promise<void> {
    this.#releasing ??= this.#end();
    return this.#releasing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  #state(): NodeLeaseHealth['state'] {
    if (this.#releasing !== undefined) return 'released';
    if (this.#held.grant === undefined) return 'waiting';
    return this.#monitor.clocksDiffer ? 'clockDifference' : 'held';
  }

  /** One turn of the keeper: returns the pause until the next one. */
  async #keep(): Promise<number> {
    const { grant } = this.#held;
    try {
      if (grant !== undefined) return await this.#extend(grant);
      await this.#claim(false, 0);
      return this.#terms.renewEveryMs;
    } catch (cause) {
      if (grant !== undefined) return this.#notExtended(grant, cause);
      if (cause instanceof ClockDifferenceError) this.#monitor.compareClocks(cause.differenceMs);
      if (cause instanceof NodeLeaseQuarantinedError) {
        const { leftMs, reason } = cause;
        this.#monitor.publish({ kind: 'quarantined', leftMs, reason });
        return Math.min(leftMs, QUARANTINE_LOOK_MS);
      }
      const retryInMs = this.#terms.retryEveryMs;
      this.#monitor.publish({ kind: 'claimFailed', retryInMs, cause });
      return retryInMs;
    }
  }

  async #claim(isTrusted: boolean, waitMaxMs: number): Promise<void> {
    const { grant, differenceMs, liveCount } = await claimNode(this.#fleet, this.#terms, {
      isTrusted,
      waitMaxMs,
      onQuarantine: (quarantine) => this.#monitor.publish(quarantine),
    });
    if (this.#releasing !== undefined) {
      await this.#fleet.release(grant, grant.floorMs);
      return;
    }
    this.#held.hold(grant);
    this.#monitor.succeeded(liveCount);
    this.#monitor.compareClocks(differenceMs);
    const { node, floorMs, ceilingMs } = grant;
    this.#monitor.publish({ kind: 'leased', node, floorMs, ceilingMs });
  }

  async #extend(grant: HeldGrant): Promise<number> {
    const [askedMs, askedAtMs] = [performance.now(), this.#terms.now()];
    const reply = await this.#fleet.renew(grant);
    if (this.#releasing !== undefined) return 0;
    if ('nowMs' in reply) {
      this.#monitor.compareClocks(clockDifference(askedAtMs, reply.nowMs, this.#terms.now()));
    }
    if (reply.kind !== 'renewed') return this.#refused(grant, reply);
    const { ceilingMs, liveCount } = reply;
    this.#held.hold({ ...grant, ceilingMs, token: grant.nextToken, nextToken: this.#terms.randomToken() });
    this.#monitor.succeeded(liveCount);
    const latencyMs = performance.now() - askedMs;
    this.#monitor.publish({ kind: 'renewed', node: grant.node, ceilingMs, latencyMs });
    return this.#terms.renewEveryMs;
  }

  /** Only somebody else's right to the node ends a window early; all else is asked again while it lasts. */
  #refused(grant: HeldGrant, reply: Exclude<RenewReply, { kind: 'renewed' }>): number {
    const isOver = this.#terms.now() >= grant.ceilingMs;
    const cause =
      reply.kind === 'pinned'
        ? new LeasePinMismatchError(reply.field, reply.pinned, this.#fleet.pin(reply.field))
        : new Error(`Redis says that ${reply.detail}.`);
    if (reply.kind !== 'lost' && !isOver) return this.#notExtended(grant, cause);
    const reason = reply.kind === 'lost' ? 'lost' : 'ended';
    this.#held.drop(reason);
    this.#monitor.publish({ kind: 'lost', node: grant.node, reason, detail: cause.message });
    return 0;
  }

  #notExtended({ node }: HeldGrant, cause: unknown): number {
    const { windowLeftMs } = this.health();
    this.#monitor.publish({ kind: 'renewalFailed', node, windowLeftMs, cause });
    return this.#terms.retryEveryMs;
  }

  async #end(): Promise<void> {
    const grant = this.#held.drop('released');
    await this.#keeper.stop();
    if (grant === undefined) return;
    try {
      await this.#fleet.release(grant, (this.#held.lastMintedMs ?? grant.floorMs - 1) + 1);
      this.#monitor.publish({ kind: 'released', node: grant.node });
    } catch {
      const message = `Redis did not hear that node ${grant.node} is free; its window ends by itself.`;
      this.#monitor.publish({ kind: 'warning', message });
    }
  }
}
