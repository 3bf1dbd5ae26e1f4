import type { TsidLayout } from '../../codec/layout.js';
import type { LeaseStore, NodeRange } from './lease-store.js';

/** The options of a lease, complete and validated. Durations in milliseconds. */
export interface LeaseTerms {
  readonly store: LeaseStore;
  readonly namespace: string;
  readonly layout: TsidLayout;
  readonly nodes: NodeRange;
  /** undefined: accept the one that the fleet has. */
  readonly allocatorId: string | undefined;
  readonly windowMs: number;
  readonly renewEveryMs: number;
  readonly skewMaxMs: number;
  readonly quarantineMs: number;
  /** Pause before a failed call is retried. */
  readonly retryEveryMs: number;
  readonly waitMaxMs: number;
  readonly holder: string;
  readonly trustEmptyStore: boolean;
  readonly automatic: boolean;
  readonly now: () => number;
  readonly randomToken: () => string;
}
