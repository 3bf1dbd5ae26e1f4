import { checkField, wholeFault } from '../codec/id-range.js';
import { TSID_42_10_12, type TsidLayout } from '../codec/layout.js';
import { refuseUnknownOptions } from '../codec/option-names.js';
import { InvalidGeneratorOptionsError } from '../codec/tsid-error.js';
import type { ClockBackPolicy, OverflowPolicy, TsidGeneratorOptions } from './generator-options.js';
import type { NodeKind } from './node-registry.js';

/** The policies as numbers for the mint path to compare against. */
export interface GeneratorRules {
  readonly layout: TsidLayout;
  readonly namespace: string;
  readonly kind: NodeKind;
  /** How far the minted time may be ahead of the clock while the clock moves forward. */
  readonly borrowMaxMs: number;
  /** How far the clock may be behind its highest reading. */
  readonly behindMaxMs: number;
  /** Whether to mint while the clock is behind, instead of waiting for it. */
  readonly holds: boolean;
}

const NAMES = {
  node: true,
  lease: true,
  layout: true,
  overflow: true,
  clockBack: true,
  randomStart: true,
  random: true,
  namespace: true,
  observer: true,
  now: true,
  allowOffMainThread: true,
  startAfterMs: true,
} as const;

/**
 * Validates the options and turns them into rules.
 * @throws InvalidGeneratorOptionsError, or TsidOutOfRangeError for a node outside the layout.
 */
export function generatorRules(options: TsidGeneratorOptions): GeneratorRules {
  refuseUnknownOptions(options, NAMES, InvalidGeneratorOptionsError);
  const { lease, node } = options;
  if ((lease === undefined) === (node === undefined)) {
    throw new InvalidGeneratorOptionsError('Give either a node or a lease.');
  }
  const layout = options.layout ?? lease?.layout ?? TSID_42_10_12;
  if (node !== undefined) {
    checkField('node', node, 0, layout.nodeMax);
    if (!options.allowOffMainThread && isOffMainThread()) {
      throw new InvalidGeneratorOptionsError(
        `Node ${node} is static, and other threads could have it: lease a node in each, or set allowOffMainThread.`,
      );
    }
  }
  if (lease !== undefined && !sameLayout(layout, lease.layout)) {
    throw new InvalidGeneratorOptionsError(
      `The node was leased for the layout ${lease.layout.name}, not for ${layout.name}.`,
    );
  }
  const { startAfterMs } = options;
  if (startAfterMs !== undefined) checkOption('startAfterMs', startAfterMs, [-1, layout.horizonMs]);
  const borrowMaxMs = borrowBound(options.overflow ?? 'wait');
  if (node !== undefined && borrowMaxMs > 0 && startAfterMs === undefined) {
    throw new InvalidGeneratorOptionsError(
      'A process that borrows can end ahead of the clock: on a static node, set startAfterMs to the time of the last ID.',
    );
  }
  const [behindMaxMs, holds] = behindBound(options.clockBack ?? 'throw');
  if (lease !== undefined && borrowMaxMs > lease.runAheadMaxMs) {
    throw new InvalidGeneratorOptionsError(
      `borrowMaxMs is ${borrowMaxMs}, but the lease allows ${lease.runAheadMaxMs} ms (skewMaxMs).`,
    );
  }
  return {
    layout,
    namespace: options.namespace ?? lease?.namespace ?? 'default',
    kind: lease !== undefined ? 'leased' : options.namespace === undefined ? 'static' : 'named',
    borrowMaxMs,
    behindMaxMs,
    holds,
  };
}

/** Whether both layouts make the same IDs. */
function sameLayout(one: TsidLayout, other: TsidLayout): boolean {
  return one.name === other.name && one.epochMs === other.epochMs && one.horizonMs === other.horizonMs;
}

function borrowBound(policy: OverflowPolicy): number {
  if (policy === 'wait') return 0;
  if ('borrowMaxMs' in Object(policy)) return checkOption('borrowMaxMs', policy.borrowMaxMs, [1, 60_000]);
  throw new InvalidGeneratorOptionsError("overflow must be 'wait' or { borrowMaxMs }.");
}

function behindBound(policy: ClockBackPolicy): [behindMaxMs: number, holds: boolean] {
  if (policy === 'throw') return [0, false];
  const { waitMaxMs, holdMaxMs } = Object(policy) as { waitMaxMs?: number; holdMaxMs?: number };
  if (waitMaxMs !== undefined) return [checkOption('waitMaxMs', waitMaxMs, [1, 1_000]), false];
  if (holdMaxMs !== undefined) return [checkOption('holdMaxMs', holdMaxMs, [1, 3_600_000]), true];
  throw new InvalidGeneratorOptionsError("clockBack must be 'throw', { waitMaxMs } or { holdMaxMs }.");
}

/** Returns a whole number within the bounds. @throws InvalidGeneratorOptionsError for anything else */
export function checkOption(
  name: string,
  value: number,
  bounds: readonly [min: number, max: number],
): number {
  const fault = wholeFault(name, value, bounds);
  if (fault) throw new InvalidGeneratorOptionsError(fault);
  return value;
}

/** Whether this is a worker of Node, Deno or Bun, or a web worker. */
function isOffMainThread(): boolean {
  const host = globalThis as {
    process?: { getBuiltinModule?(name: string): { readonly isMainThread: boolean } | undefined };
  };
  const threads = host.process?.getBuiltinModule?.('node:worker_threads');
  return threads === undefined ? 'WorkerGlobalScope' in globalThis : !threads.isMainThread;
}
