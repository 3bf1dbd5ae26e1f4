import { checkField, wholeFault } from '../codec/id-range.js';
import { TSID_42_10_12, type TsidLayout } from '../codec/layout.js';
import { InvalidGeneratorOptionsError } from '../codec/tsid-error.js';
import type { ClockBackPolicy, OverflowPolicy, TsidGeneratorOptions } from './generator-options.js';

/** The policies as numbers for the mint path to compare against. */
export interface GeneratorRules {
  readonly layout: TsidLayout;
  readonly namespace: string;
  /** How far the minted time may be ahead of the clock while the clock moves forward. */
  readonly borrowMaxMs: number;
  /** How far the clock may be behind its highest reading. */
  readonly behindMaxMs: number;
  /** Whether to mint while the clock is behind, instead of waiting for it. */
  readonly holds: boolean;
}

/**
 * Validates the options and turns them into rules.
 * @throws InvalidGeneratorOptionsError, or TsidOutOfRangeError for a node outside the layout.
 */
export function generatorRules(options: TsidGeneratorOptions): GeneratorRules {
  const { lease, node } = options;
  if ((lease === undefined) === (node === undefined)) {
    throw new InvalidGeneratorOptionsError('Give either a node or a lease.');
  }
  const layout = options.layout ?? lease?.layout ?? TSID_42_10_12;
  if (node !== undefined) {
    checkField('node', node, 0, layout.nodeMax);
    if (!options.allowOffMainThread && isOffMainThread()) {
      throw new InvalidGeneratorOptionsError(
        `Node ${node} is static, and a worker cannot see which nodes other threads use: lease a node in each thread, ` +
          'or set allowOffMainThread.',
      );
    }
  }
  if (lease !== undefined && !sameLayout(layout, lease.layout)) {
    throw new InvalidGeneratorOptionsError(
      `The node was leased for the layout ${lease.layout.name}, not for ${layout.name}.`,
    );
  }
  const borrowMaxMs = borrowBound(options.overflow ?? 'wait');
  const [behindMaxMs, holds] = behindBound(options.clockBack ?? 'throw');
  if (lease !== undefined && borrowMaxMs > lease.runAheadMaxMs) {
    throw new InvalidGeneratorOptionsError(
      `borrowMaxMs is ${borrowMaxMs}, but the lease allows ${lease.runAheadMaxMs} ms (skewMaxMs).`,
    );
  }
  return {
    layout,
    namespace: options.namespace ?? lease?.namespace ?? 'default',
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
  return policy === 'wait' ? 0 : bounded('borrowMaxMs', policy.borrowMaxMs, 60_000);
}

function behindBound(policy: ClockBackPolicy): [behindMaxMs: number, holds: boolean] {
  if (policy === 'throw') return [0, false];
  if ('waitMaxMs' in policy) return [bounded('waitMaxMs', policy.waitMaxMs, 1_000), false];
  return [bounded('holdMaxMs', policy.holdMaxMs, 3_600_000), true];
}

function bounded(name: string, value: number, max: number): number {
  const fault = wholeFault(name, value, [1, max]);
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
