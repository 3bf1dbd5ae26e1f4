import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RedisConnection } from '@solegate/redis-infra';
import { until } from '@solegate/testkit';
import {
  ClockMovedBackwardsError,
  createTsidGenerator,
  defineLayout,
  type NodeSource,
  NodeUnavailableError,
  type OverflowPolicy,
  type TsidGenerator,
  type TsidLayout,
} from '../../src/index.js';
import {
  type LeaseStore,
  leaseNode,
  type NodeLease,
  type NodeLeaseOptions,
} from '../../src/node-lease/index.js';
import type { MintLog } from './mint-log.js';

/** One node: the second process must reuse it, so a scenario cannot pass by taking another one. */
export const ONE_NODE = defineLayout({
  timeBits: 42,
  nodeBits: 0,
  sequenceBits: 22,
  epoch: Date.UTC(2020, 0, 1),
});
/** One node with few IDs per millisecond. */
export const ONE_SLOW_NODE = defineLayout({
  timeBits: 52,
  nodeBits: 0,
  sequenceBits: 12,
  epoch: Date.UTC(2020, 0, 1),
});
/** Two nodes. */
export const TWO_NODES = defineLayout({
  timeBits: 42,
  nodeBits: 1,
  sequenceBits: 21,
  epoch: Date.UTC(2020, 0, 1),
});

/** Long enough for a noisy machine, short enough for a test. */
export const WINDOW_MS = 900;
export const SKEW_MS = 150;
const RENEW_MS = WINDOW_MS / 3;

/** How one process of a scenario differs from the others. */
export interface ProcessOptions {
  readonly redis?: RedisConnection;
  readonly store?: LeaseStore;
  readonly now?: () => number;
  readonly overflow?: OverflowPolicy;
  readonly lease?: Partial<NodeLeaseOptions>;
}

/** A process of the fleet, simulated in this one: a generator with its node, in a registry namespace of its own. */
export interface FleetProcess {
  readonly generator: TsidGenerator;
  /** Mints IDs into the log. A refusal is counted. */
  mint(count: number): void;
  /** Mints continuously for this long. */
  mintFor(ms: number): Promise<void>;
  /** How many times minting was refused. */
  refusedCount(): number;
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** Assigns the nodes of a fleet: the window lease, or the plain lock it is compared with. */
export interface Fleet<Process extends FleetProcess = FleetProcess> {
  readonly log: MintLog;
  start(name: string, options?: ProcessOptions): Promise<Process>;
  /** Ends all processes. */
  stop(): Promise<void>;
}

/** A process that holds a leased node. */
export type LeasedProcess = FleetProcess & { readonly lease: NodeLease };

/**
 * The fleet under test: nodes leased as windows of timestamps, renewed only by the scenario. Generators do not start at a
 * random sequence, which would hide that two of them mint on one node.
 */
export function windowFleet(
  log: MintLog,
  redis: RedisConnection | LeaseStore,
  settings: Partial<NodeLeaseOptions> & { layout: TsidLayout },
  distort: (lease: NodeLease) => NodeSource = (lease) => lease,
): Fleet<LeasedProcess> {
  const leases: NodeLease[] = [];
  return {
    log,
    async start(name, options = {}) {
      const lease = await leaseNode({
        ...sourceOf(options.store ?? options.redis ?? redis),
        windowMs: WINDOW_MS,
        skewMaxMs: SKEW_MS,
        holder: name,
        automatic: false,
        trustEmptyStore: leases.length === 0,
        ...(options.now === undefined ? {} : { now: options.now }),
        ...settings,
        ...options.lease,
      });
      leases.push(lease);
      const generator = createTsidGenerator({
        lease: distort(lease),
        namespace: randomUUID(),
        randomStart: false,
        ...(options.now === undefined ? {} : { now: options.now }),
        ...(options.overflow === undefined ? {} : { overflow: options.overflow }),
      });
      const release = () => lease.release();
      return { ...minting(log, name, generator), lease, renew: () => lease.renew(), release };
    },
    async stop() {
      await Promise.all(leases.map((lease) => lease.release()));
    },
  };
}

const sourceOf = (source: RedisConnection | LeaseStore) =>
  'claim' in source ? { store: source } : { redis: source };

/** Mints into the log under a name. */
export function minting(log: MintLog, name: string, generator: TsidGenerator) {
  let refusedCount = 0;
  const mint = (count: number) => {
    try {
      log.add(name, generator.fill(new BigUint64Array(count)));
    } catch (error) {
      if (!(error instanceof NodeUnavailableError || error instanceof ClockMovedBackwardsError)) throw error;
      refusedCount++;
    }
  };
  return {
    generator,
    mint,
    async mintFor(ms: number) {
      for (const endMs = performance.now() + ms; performance.now() < endMs; ) {
        mint(500);
        await new Promise(setImmediate);
      }
    },
    refusedCount: () => refusedCount,
  };
}

/** Starts a process as soon as a node is free, like an orchestrator that restarts failed processes. */
export async function startWhenFree<Process extends FleetProcess>(
  fleet: Fleet<Process>,
  name: string,
  options: ProcessOptions = {},
  timeoutMs = 10_000,
): Promise<Process> {
  return until(() => fleet.start(name, options), { what: `A node for ${name}`, intervalMs: 5, timeoutMs });
}

/** The processes take turns minting, many times per millisecond. */
export async function mintInTurns(...processes: readonly FleetProcess[]): Promise<void> {
  for (let round = 0; round < 150; round++) {
    for (const process of processes) process.mint(2_000);
    await new Promise(setImmediate);
  }
}

/** Renews every third of a window until the work is done, as the background keeper does. */
export async function renewingMeanwhile<Result>(
  process: FleetProcess,
  work: Promise<Result>,
): Promise<Result> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  for (await pause(RENEW_MS); !isDone; await pause(RENEW_MS)) await process.renew();
  return ended;
}

/** All mint a few IDs at a time until the work is done. */
export async function mintingMeanwhile<Result>(
  processes: readonly FleetProcess[],
  work: Promise<Result>,
): Promise<Result> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    for (const process of processes) process.mint(100);
    await pause(5);
  }
  return ended;
}
