import { randomUUID } from 'node:crypto';
import { TSID_42_10_12, type TsidLayout } from '../codec/layout.js';
import { InvalidLeaseOptionsError } from './lease-error.js';
import type { NodeLeaseOptions } from './lease-options.js';

/** The options of a lease, complete and checked against each other. */
export interface LeaseTerms {
  readonly layout: TsidLayout;
  readonly windowMs: number;
  readonly renewEveryMs: number;
  readonly skewMaxMs: number;
  /** Pause before something that failed is tried again. */
  readonly retryEveryMs: number;
  readonly waitMaxMs: number;
  readonly holder: string;
  readonly trustEmptyRedis: boolean;
  readonly automatic: boolean;
  readonly clock: () => number;
  readonly randomToken: () => string;
}

/**
 * Fills in the defaults and checks ranges and relations.
 * @throws InvalidLeaseOptionsError before Redis is asked for anything.
 */
export function leaseTerms(options: NodeLeaseOptions): LeaseTerms {
  const windowMs = whole('windowMs', options.windowMs ?? 30_000, 300, 3_600_000);
  const renewEveryMs = whole('renewEveryMs', options.renewEveryMs ?? Math.floor(windowMs / 3), 10, windowMs);
  const skewMaxMs = whole('skewMaxMs', options.skewMaxMs ?? Math.floor(windowMs / 6), 1, windowMs);
  const waitMaxMs = whole('waitMaxMs', options.waitMaxMs ?? windowMs + skewMaxMs + 1_000, 0, 86_400_000);
  if (renewEveryMs * 2 + skewMaxMs > windowMs) {
    throw new InvalidLeaseOptionsError(
      `windowMs (${windowMs}) must hold two renewals (renewEveryMs ${renewEveryMs} each) and skewMaxMs (${skewMaxMs}), ` +
        'or one lost answer ends the lease.',
    );
  }
  return {
    layout: options.layout ?? TSID_42_10_12,
    windowMs,
    renewEveryMs,
    skewMaxMs,
    retryEveryMs: Math.min(500, Math.max(10, Math.floor(windowMs / 60))),
    waitMaxMs,
    holder: holderName(options.holder ?? randomUUID()),
    trustEmptyRedis: options.trustEmptyRedis ?? false,
    automatic: options.automatic ?? true,
    clock: options.clock ?? Date.now,
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
