import { TSID_42_10_12, type TsidLayout } from '../codec/layout.js';
import { refuseUnknownOptions } from '../codec/option-names.js';
import type { NodeSource } from '../generator/node-source.js';
import { secureRandom } from '../generator/secure-random.js';
import { DevelopmentNodeRefusedError, InvalidLeaseOptionsError } from './fleet/lease-error.js';
import { HeldNode } from './held-node.js';
import { LeaseMonitor, type NodeLeaseEvent } from './lease-monitor.js';
import type { NodeLease } from './node-lease.js';

/** How far IDs may run ahead of the clock: the most that a generator accepts. */
const RUN_AHEAD_MAX_MS = 60_000;

/** Options of {@link developmentNode}. */
export interface DevelopmentNodeOptions {
  /** Whether this process is in production. Set by the caller, since this package reads no environment variables. */
  readonly production: boolean;
  /** Default: TSID_42_10_12. */
  readonly layout?: TsidLayout;
  /** Default: `development`. */
  readonly namespace?: string;
  /** Returns a whole number from 0 to below - 1. Default: from `crypto.getRandomValues`. */
  readonly random?: (below: number) => number;
  /** Default: `Date.now`. */
  readonly now?: () => number;
  /** Receives the warning that nothing guards the node. */
  readonly observer?: (event: NodeLeaseEvent) => void;
}

const NAMES = {
  production: true,
  layout: true,
  namespace: true,
  random: true,
  now: true,
  observer: true,
} as const;

/** The common interface of a leased node and a development node. */
export type AnyNodeLease = NodeSource &
  Pick<NodeLease, 'node' | 'health' | 'ready' | 'subscribe' | 'renew' | 'release'> &
  AsyncDisposable;

/**
 * Returns a random node for a developer's machine without Redis. Nothing guards it: among 38 such processes, the odds
 * that two share a node are even. Never a fallback: call it explicitly.
 * @throws DevelopmentNodeRefusedError in production, InvalidLeaseOptionsError for an option that does not exist.
 */
export function developmentNode(options: DevelopmentNodeOptions): AnyNodeLease {
  refuseUnknownOptions(options, NAMES, InvalidLeaseOptionsError);
  if (options.production) throw new DevelopmentNodeRefusedError();
  const {
    layout = TSID_42_10_12,
    namespace = 'development',
    random = secureRandom,
    now = Date.now,
  } = options;
  const node = random(layout.nodeMax + 1);
  const held = new HeldNode(namespace, now);
  const floorMs = layout.epochMs;
  const unguarded = { node, floorMs, ceilingMs: layout.horizonMs, claim: '', token: '', nextToken: '' };
  const monitor = new LeaseMonitor(layout.nodeMax + 1, RUN_AHEAD_MAX_MS, options.observer);
  held.hold(unguarded);
  monitor.publish({
    kind: 'WARNING',
    message: `Development mode: node ${node} is random and nothing guards it.`,
  });
  const release = async () => void held.drop('RELEASED');
  return {
    layout,
    namespace,
    runAheadMaxMs: RUN_AHEAD_MAX_MS,
    get node() {
      return held.grant?.node;
    },
    window: () => held.window(),
    attach: (user) => held.attach(user),
    ready: (timeoutMs) => held.ready(timeoutMs),
    subscribe: (listener) => monitor.subscribe(listener),
    renew: () => Promise.resolve(),
    release,
    [Symbol.asyncDispose]: release,
    health: () => ({
      state: held.grant === undefined ? 'RELEASED' : 'DEVELOPMENT',
      healthy: held.isOpen,
      namespace,
      node: held.grant?.node,
      holder: 'development',
      floorMs,
      ceilingMs: layout.horizonMs,
      windowLeftMs: layout.horizonMs - now(),
      runAheadMs: Math.max(0, (held.lastMintedMs ?? 0) - now()),
      ...monitor.measured(),
    }),
  };
}
