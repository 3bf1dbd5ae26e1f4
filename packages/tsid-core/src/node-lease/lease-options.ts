import type { RedisConnection } from '@solegate/redis-infra';
import type { TsidLayout } from '../codec/layout.js';
import type { NodeLeaseEvent } from './lease-event.js';

/** What {@link leaseNode} takes. Durations in milliseconds. */
export interface NodeLeaseOptions {
  /** A decision connection: commands must fail soon instead of queueing. */
  readonly redis: RedisConnection;
  /** Default: TSID_42_10_12. Pinned: every process of the namespace must have the same. */
  readonly layout?: TsidLayout;
  /** One fleet, one namespace. Also the prefix of its keys. Default: `sys:tsid`. */
  readonly namespace?: string;
  /** Length of a granted window; a killed process's node is free again after it. Default 30,000. Pinned. */
  readonly windowMs?: number;
  /** Default: a third of the window. */
  readonly renewEveryMs?: number;
  /**
   * Bound on the difference between this clock and that of Redis, between the clocks of failover partners, and on
   * running ahead. Default: a sixth of the window. Pinned.
   */
  readonly skewMaxMs?: number;
  /** Shown to operators, for example `host:pid`. Default: random. */
  readonly holder?: string;
  /**
   * Identity of the allocator the database belongs to. Redis keeps the first one it is told and refuses others; without
   * it a random one is pinned. Compare `lease.allocatorId` with what the database holds.
   */
  readonly allocatorId?: string;
  /**
   * The caller vouches that no process minted in a window this Redis does not remember: skips the quarantine of the
   * first claim. For tests and first starts. Default false.
   */
  readonly trustEmptyRedis?: boolean;
  /** How long the first claim may wait for a quarantine to end. Default: one whole quarantine and a second. */
  readonly waitMaxMs?: number;
  /** Unix milliseconds; the clock the generator uses. Default `Date.now`. */
  readonly clock?: () => number;
  /** 128 random bits as text. Default: `crypto.randomUUID`. */
  readonly randomToken?: () => string;
  /** Hears everything from the first claim on. */
  readonly onEvent?: (event: NodeLeaseEvent) => void;
  /** False: nothing is renewed or claimed again by itself; call `renew()`. Default true. */
  readonly automatic?: boolean;
}
