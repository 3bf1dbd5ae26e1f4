import { randomUUID } from 'node:crypto';
import { assertRedisConnection, type RedisCalls } from '@solegate/redis-infra/calls';
import { TSID_42_10_12, type TsidLayout } from '../codec/layout.js';
import { refuseUnknownOptions } from '../codec/option-names.js';
import { InvalidLeaseOptionsError } from './fleet/lease-error.js';
import type { LeaseStore, NodeRange } from './fleet/lease-store.js';
import type { LeaseTerms } from './fleet/lease-terms.js';
import type { NodeLeaseEvent } from './lease-monitor.js';
import { redisLeaseStore } from './redis/redis-lease-store.js';

/** Options of {@link leaseNode}. Durations in milliseconds. */
export interface NodeLeaseOptions {
  /** A connection whose commands fail within a few seconds instead of queueing: `background` or `decision`. */
  readonly redis?: RedisCalls;
  /** Leases from PostgreSQL (`postgresLeaseStore` of `./node-lease/postgres`), in the place of `redis`. */
  readonly store?: LeaseStore;
  /** Default: TSID_42_10_12. Pinned: must be the same in every process of the namespace. */
  readonly layout?: TsidLayout;
  /**
   * Restricts this process to a range of nodes, inclusive, so that a group of processes can be recognized by the nodes
   * of its IDs. They stay in one fleet. Default: every node of the layout.
   */
  readonly nodes?: NodeRange;
  /** Identifies the fleet, and prefixes its keys. Default: `sys:tsid`. */
  readonly namespace?: string;
  /** Length of a window, after which a killed process's node is free again. 300 … 3,600,000, default 30,000. */
  readonly windowMs?: number;
  /** Default: a third of the window. */
  readonly renewEveryMs?: number;
  /**
   * Limits the difference between this clock and that of the store, the difference between the clocks of failover
   * partners, and running ahead. Default: a sixth of the window.
   */
  readonly skewMaxMs?: number;
  /**
   * How long new processes wait after the store lost its memory. Must cover windowMs + skewMaxMs of every process that is
   * in the fleet or about to join. The fleet keeps the longest value of any process that was granted a node. To lengthen
   * windows while the fleet runs, start every process with this first, then with the longer windowMs. Default:
   * windowMs + skewMaxMs.
   */
  readonly quarantineMs?: number;
  /** Shown to operators, for example `host:pid`. Default: random. */
  readonly holder?: string;
  /**
   * Identity of the allocator that the database belongs to. The store pins the first one that is granted a node and
   * rejects others. Default: the pinned one, else a random one. Compare `lease.allocatorId` with that in the database.
   */
  readonly allocatorId?: string;
  /**
   * The caller guarantees that no process minted in a window that this store does not remember. The first claim then
   * opens no quarantine for an empty or restarted store, and ends one that was opened because it was empty. It does
   * not affect other quarantines, which open because a process did mint. For tests and first starts. Default false.
   */
  readonly trustEmptyStore?: boolean;
  /** Longest wait of the first claim for a quarantine to end. Default: the longer of quarantineMs and 35 s, plus 1 s. */
  readonly waitMaxMs?: number;
  /** Unix milliseconds; use the same clock as the generator. Default `Date.now`. */
  readonly now?: () => number;
  /** Returns 128 random bits as text. Default: `crypto.randomUUID`. */
  readonly randomToken?: () => string;
  /** Called for every event, from the first claim on. */
  readonly observer?: (event: NodeLeaseEvent) => void;
  /** False: no automatic renewals or claims; call `renew()`. Default true. */
  readonly automatic?: boolean;
}

const NAMES = {
  redis: true,
  store: true,
  layout: true,
  nodes: true,
  namespace: true,
  windowMs: true,
  renewEveryMs: true,
  skewMaxMs: true,
  quarantineMs: true,
  holder: true,
  allocatorId: true,
  trustEmptyStore: true,
  waitMaxMs: true,
  now: true,
  randomToken: true,
  observer: true,
  automatic: true,
} as const;

/** The shortest wait of a new process when the store has lost the fleet's quarantine too: that of the default window. */
const DEFAULT_QUARANTINE_MS = 35_000;

/**
 * Fills in the defaults, and validates ranges and relations.
 * @throws InvalidLeaseOptionsError before the store is called.
 */
export function leaseTerms(options: NodeLeaseOptions): LeaseTerms {
  refuseUnknownOptions(options, NAMES, InvalidLeaseOptionsError);
  const store = storeOf(options);
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
        'or one lost reply ends the lease.',
    );
  }
  const layout = options.layout ?? TSID_42_10_12;
  const { first = 0, last = layout.nodeMax } = options.nodes ?? {};
  return {
    store,
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
    trustEmptyStore: options.trustEmptyStore ?? false,
    automatic: options.automatic ?? true,
    now: options.now ?? Date.now,
    randomToken: options.randomToken ?? randomUUID,
  };
}

function storeOf({ redis, store }: NodeLeaseOptions): LeaseStore {
  if ((redis === undefined) === (store === undefined)) {
    throw new InvalidLeaseOptionsError('Give exactly one of redis and store: a fleet has one store.');
  }
  if (typeof store?.claim === 'function') return store;
  if (store !== undefined)
    throw new InvalidLeaseOptionsError('store must be what postgresLeaseStore returns.');
  assertRedisConnection(redis, (problem) => new InvalidLeaseOptionsError(`redis ${problem}.`));
  return redisLeaseStore(redis);
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
