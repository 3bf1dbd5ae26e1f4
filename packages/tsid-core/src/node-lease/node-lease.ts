/*
 * A node leased from a store: Redis or PostgreSQL.
 *
 * Authority: the store decides which process may mint on a node. It grants a window of timestamps, floor <= t < ceiling, with
 * every floor at or above the node's last ceiling, and the generator mints only inside its window. So two holders of a node,
 * in succession or at once by mistake, cannot mint duplicate IDs, whatever their clocks read and however long one was
 * suspended. Clocks decide only whether a holder can mint *now*.
 *
 * States: held -> (lost | ended) -> held on another node ... -> released (final).
 *   held      the window is valid until its ceiling; it is renewed every third of its length, and when reconnected.
 *   lost      the store reports that another process has the node, or that the token is stale. Dropped immediately.
 *   ended     the window ended by this clock, unrenewed. Dropped: a store that knows less than another would revive it.
 *   released  the window was shortened to the last timestamp minted; the next holder starts right above it.
 *
 * Timing: window >= 2 renewals + skew, so one lost renewal does no harm. A holder survives an outage of the store for at least
 * window - renewEvery. A holder that dies blocks its node for one window.
 *
 * Tokens: each renewal presents the last token and the next one, both chosen before it is sent. If the reply is lost,
 * the same pair is sent again and accepted either way. A copy of this process (a restored or cloned machine) presents
 * a used token and loses the node at its next renewal, at most one window after the copy started.
 *
 * When the store may have lost its memory (redis/fleet-memory.lua.ts lists how), no node is granted for one quarantine.
 * Everything granted before ends in that time, and live holders report their nodes by renewing.
 *
 * Failures: a granted window is used up whatever the store reports meanwhile, unless another process has the node. While it
 * lasts, a renewal is retried: after a missing reply, a mismatch with the fleet, or if the store's clock is past the window.
 */
import type { TsidLayout } from '../codec/layout.js';
import type { NodeSource, NodeUser, NodeWindow } from '../generator/node-source.js';
import { claimNode, quarantinePauseMs } from './claim-node.js';
import {
  ClockDifferenceError,
  LeasePinMismatchError,
  NodeLeaseQuarantinedError,
} from './fleet/lease-error.js';
import type { HeldGrant, RenewReply } from './fleet/lease-store.js';
import type { LeaseTerms } from './fleet/lease-terms.js';
import { NodeFleet } from './fleet/node-fleet.js';
import { HeldNode, type Missing } from './held-node.js';
import { LeaseKeeper } from './lease-keeper.js';
import { clockDifference, LeaseMonitor, type NodeLeaseEvent, type NodeLeaseHealth } from './lease-monitor.js';
import { leaseTerms, type NodeLeaseOptions } from './lease-options.js';

/**
 * Leases a node and keeps it until `release()`. Pass the lease to one generator of this process.
 * @throws InvalidLeaseOptionsError, NodeLeaseUnavailableError, NodeLeaseQuarantinedError, NodesExhaustedError,
 *   LeasePinMismatchError, ClockDifferenceError. Nothing is held then.
 */
export async function leaseNode(options: NodeLeaseOptions): Promise<NodeLease> {
  const lease = new NodeLease(options);
  await lease.begin();
  return lease;
}

/** A node that is renewed in the background and replaced when it is lost. Created by {@link leaseNode}. */
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
  #unsubscribe = () => {};

  /** @internal Use leaseNode. */
  constructor(options: NodeLeaseOptions) {
    this.#terms = leaseTerms(options);
    const { layout, namespace, skewMaxMs, now, automatic, nodes } = this.#terms;
    this.layout = layout;
    this.namespace = namespace;
    this.runAheadMaxMs = skewMaxMs;
    this.#fleet = new NodeFleet(this.#terms);
    this.#held = new HeldNode(namespace, now);
    this.#monitor = new LeaseMonitor(nodes.last - nodes.first + 1, skewMaxMs, options.observer);
    this.#keeper = new LeaseKeeper(() => this.#keep(), automatic);
  }

  /** @internal Makes the first claim. */
  async begin(): Promise<void> {
    const { store, automatic } = this.#terms;
    await this.#claim(this.#terms.trustEmptyStore, this.#terms.waitMaxMs);
    this.#keeper.schedule(this.#terms.renewEveryMs);
    if (automatic)
      this.#unsubscribe = store.onReconnection(() => void this.#keeper.settled().then(() => this.renew()));
    void store.warnings().then((messages) => {
      for (const message of messages) this.#monitor.publish({ kind: 'WARNING', message });
    });
  }

  /** The current node; undefined while there is none. */
  get node(): number | undefined {
    return this.#held.grant?.node;
  }

  /** The identity of the allocator that granted the node, as pinned in the store. */
  get allocatorId(): string {
    return this.#fleet.allocatorId;
  }

  /** The current window, or why there is none. */
  window(): NodeWindow | Missing {
    return this.#held.window();
  }

  /** Registers the generator that mints in the windows. Called by the generator itself. */
  attach(user: NodeUser): () => void {
    return this.#held.attach(user);
  }

  /** Resolves once there is a window. Rejects with NodeUnavailableError after timeoutMs or once released. */
  ready(timeoutMs: number): Promise<void> {
    return this.#held.ready(timeoutMs);
  }

  /** Renews now instead of on schedule, or claims another node if there is none. Publishes failures as events. */
  renew(): Promise<void> {
    return this.#releasing ?? this.#keeper.run();
  }

  /** Calls `listener` for every event from now on. Returns a function that unsubscribes. */
  subscribe(listener: (event: NodeLeaseEvent) => void): () => void {
    return this.#monitor.subscribe(listener);
  }

  /** Returns the current state of the lease without calling the store. */
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
   * Ends the lease. Minting stops immediately, and the node is free for other processes right above the last ID.
   * If the store does not reply, the window ends by itself. Never rejects; idempotent.
   */
  release(): Promise<void> {
    this.#releasing ??= this.#end();
    return this.#releasing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  #state(): NodeLeaseHealth['state'] {
    if (this.#releasing !== undefined) return 'RELEASED';
    if (this.#held.grant === undefined) return 'WAITING';
    return this.#monitor.clocksDiffer ? 'CLOCK_DIFFERENCE' : 'HELD';
  }

  /** Runs one turn of the keeper and returns the pause until the next one. */
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
        this.#monitor.publish({ kind: 'QUARANTINED', leftMs: cause.leftMs, reason: cause.reason });
        return quarantinePauseMs(cause.leftMs, this.#terms.quarantineMs);
      }
      const retryInMs = this.#terms.retryEveryMs;
      this.#monitor.publish({ kind: 'CLAIM_FAILED', retryInMs, cause });
      return retryInMs;
    }
  }

  async #claim(isTrusted: boolean, waitMaxMs: number): Promise<void> {
    const { grant, differenceMs, liveCount } = await claimNode(this.#fleet, this.#terms, {
      isTrusted,
      waitMaxMs,
      onQuarantine: ({ leftMs, reason }) => this.#monitor.publish({ kind: 'QUARANTINED', leftMs, reason }),
    });
    if (this.#releasing !== undefined) return void (await this.#fleet.release(grant, grant.floorMs));
    this.#held.hold(grant);
    this.#monitor.succeeded(liveCount);
    this.#monitor.compareClocks(differenceMs);
    const { node, floorMs, ceilingMs } = grant;
    this.#monitor.publish({ kind: 'LEASED', node, floorMs, ceilingMs });
  }

  async #extend(grant: HeldGrant): Promise<number> {
    const [askedMs, askedAtMs] = [performance.now(), this.#terms.now()];
    if (askedAtMs >= grant.ceilingMs) return this.#dropped(grant, 'ENDED', 'The window ended unrenewed.');
    const reply = await this.#fleet.renew(grant);
    if (this.#releasing !== undefined) return 0;
    if ('nowMs' in reply)
      this.#monitor.compareClocks(clockDifference(askedAtMs, reply.nowMs, this.#terms.now()));
    if (reply.kind !== 'renewed') return this.#refused(grant, reply);
    const { ceilingMs, liveCount } = reply;
    this.#held.hold({ ...grant, ceilingMs, token: grant.nextToken, nextToken: this.#terms.randomToken() });
    this.#monitor.succeeded(liveCount);
    const latencyMs = performance.now() - askedMs;
    this.#monitor.publish({ kind: 'RENEWED', node: grant.node, ceilingMs, latencyMs });
    return this.#terms.renewEveryMs;
  }

  /** Only a node that another process owns ends a window early; all else is retried while it lasts. */
  #refused(grant: HeldGrant, reply: Exclude<RenewReply, { kind: 'renewed' }>): number {
    const cause =
      reply.kind === 'pinned'
        ? new LeasePinMismatchError(reply.field, reply.pinned, this.#fleet.pin(reply.field))
        : new Error(`${this.#terms.store.name} reports that ${reply.detail}.`);
    if (reply.kind !== 'lost') return this.#notExtended(grant, cause);
    return this.#dropped(grant, 'LOST', cause.message);
  }

  #dropped({ node }: HeldGrant, reason: 'LOST' | 'ENDED', detail: string): number {
    this.#held.drop(reason);
    this.#monitor.publish({ kind: 'LOST', node, reason, detail });
    return 0;
  }

  #notExtended({ node }: HeldGrant, cause: unknown): number {
    const { windowLeftMs } = this.health();
    this.#monitor.publish({ kind: 'RENEWAL_FAILED', node, windowLeftMs, cause });
    return this.#terms.retryEveryMs;
  }

  async #end(): Promise<void> {
    const grant = this.#held.drop('RELEASED');
    this.#unsubscribe();
    await this.#keeper.stop();
    if (grant === undefined) return;
    try {
      await this.#fleet.release(grant, (this.#held.lastMintedMs ?? grant.floorMs - 1) + 1);
      this.#monitor.publish({ kind: 'RELEASED', node: grant.node });
    } catch {
      const message = `${this.#terms.store.name} did not confirm the release of node ${grant.node}; its window ends by itself.`;
      this.#monitor.publish({ kind: 'WARNING', message });
    }
  }
}
