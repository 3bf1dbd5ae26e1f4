import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '@solegate/redis-infra';
import { TSID_42_10_12, type TsidLayout } from '../codec/layout.js';
import { InvalidLeaseOptionsError } from './fleet/lease-error.js';
import type { LeaseTerms } from './fleet/lease-terms.js';
import type { NodeLeaseEvent } from './lease-monitor.js';

/** What {@link leaseNode} takes. Durations in milliseconds. */
export interface NodeLeaseOptions {
  /** A connection whose commands fail within a few seconds instead of queueing; `background` and `decision` both do. */
  readonly redis: RedisConnection;
  /** Default: TSID_42_10_12. Pinned: every process of the namespace must have the same. */
  readonly layout?: TsidLayout;
  /**
   * Only these nodes, both included; processes that are to be known by the nodes of their IDs share a range. They stay one
   * fleet. Default: every node of the layout.
   */
  readonly nodes?: { readonly first: number; readonly last: number };
  /** One fleet, one namespace. Also the prefix of its keys. Default: `sys:tsid`. */
  readonly namespace?: string;
  /** Length of a granted window; a killed process's node is free again after it. 300 … 3,600,000, default 30,000. */
  readonly windowMs?: number;
  /** Default: a third of the window. */
  readonly renewEveryMs?: number;
  /**
   * Bound on the difference between this clock and that of Redis, between the clocks of failover partners, and on
   * running ahead. Default: a sixth of the window.
   */
  readonly skewMaxMs?: number;
  /**
   * How long new processes wait after Redis lost its memory: windowMs + skewMaxMs of every process of the fleet, and of
   * every one that is about to join. The fleet keeps the longest that a granted process has brought. To lengthen windows
   * while the fleet runs, start every process with this first, then with the longer windowMs. Default: windowMs +
   * skewMaxMs.
   */
  readonly quarantineMs?: number;
  /** Shown to operators, for example `host:pid`. Default: random. */
  readonly holder?: string;
  /**
   * Identity of the allocator the database belongs to. Redis keeps the first one that is granted a node and refuses
   * others; without it a random one is pinned. Compare `lease.allocatorId` with what the database holds.
   */
  readonly allocatorId?: string;
  /**
   * The caller vouches that no process minted in a window this Redis does not remember: the first claim opens no
   * quarantine because Redis is empty or was restarted, and ends one that was opened because it was empty. No other
   * quarantine: those open because somebody did mint. For tests and first starts. Default false.
   */
  readonly trustEmptyRedis?: boolean;
  /** How long the first claim may wait for a quarantine to end. Default: the longer of quarantineMs and 35 s, and 1 s. */
  readonly waitMaxMs?: number;
  /** Unix milliseconds; the clock the generator uses. Default `Date.now`. */
  readonly now?: () => number;
  /** 128 random bits as text. Default: `crypto.randomUUID`. */
  readonly randomToken?: () => string;
  /** Hears everything from the first claim on. */
  readonly observer?: (event: NodeLeaseEvent) => void;
  /** False: nothing is renewed or claimed again by itself; call `renew()`. Default true. */
  readonly automatic?: boolean;
}

/** What a starter waits at least where Redis has lost also how long the fleet waits: that of the default window. */
const DEFAULT_QUARANTINE_MS = 35_000;

/**
 * Fills in the defaults and checks ranges and relations.
 * @throws InvalidLeaseOptionsError before Redis is asked for anything.
 */
export function leaseTerms(options: NodeLeaseOptions): LeaseTerms {
  const windowMs = whole('windowMs', options.windowMs ?? 30_000, 300, 3_600_000);
  const renewEveryMs = whole('renewEveryMs', options.renewEveryMs ?? Math.floor(windowMs / 3), 10, windowMs);
  const skewMaxMs = whole('skewMaxMs', options.skewMaxMs ?? Math.floor(windowMs / 6), 1, windowMs);
  const shortest = windowMs + skewMaxMs;
  const quarantineMs = whole('quarantineMs', options.quarantineMs ?? shortest, shortest, 7_200_000);
  const waitDefaultMs = Math.max(quarantineMs, DEFAULT_QUARANTINE_MS) + 1_000;
  const waitMaxMs = whole('waitMaxMs', options.waitMaxMs ?? waitDefaultMs, 0, 86_400_000);
  if (renewEveryMs * 2 + skewMaxMs > windowMs) {
    throw new InvalidLeaseOptionsError(
      `windowMs (${windowMs}) must hold two renewals (renewEveryMs ${renewEveryMs} each) and skewMaxMs (${skewMaxMs}), ` +
        'or one lost answer ends the lease.',
    );
  }
  const layout = options.layout ?? TSID_42_10_12;
  const { first = 0, last = layout.nodeMax } = options.nodes ?? {};
  return {
    redis: options.redis,
    namespace: options.namespace ?? 'sys:tsid',
    layout,
    nodes: {
      first: whole('nodes.first', first, 0, layout.nodeMax),
      last: whole('nodes.last', last, first, layout.nodeMax),
    },
    allocatorId: options.allocatorId,
    windowMs,
    renewEveryMs,
    skewMaxMs,
    quarantineMs,
    retryEveryMs: Math.min(500, Math.max(10, Math.floor(windowMs / 60))),
    waitMaxMs,
    holder: holderName(options.holder ?? randomUUID()),
    trustEmptyRedis: options.trustEmptyRedis ?? false,
    automatic: options.automatic ?? true,
    now: options.now ?? Date.now,
    randomToken: options.randomToken ?? randomUUID,
  };
}

function whole(name: string, value: number, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new InvalidLeaseOptionsError(`${name} is ${value}: use a whole number from ${min} to ${max}.`);
  }
  return value;
}

function holderName(holder: string): string {
  if (!/^[\x20-\x7e]{1,200}$/.test(holder)) {
    throw new InvalidLeaseOptionsError('holder must be 1 to 200 printable ASCII characters.');
  }
  return holder;
}
