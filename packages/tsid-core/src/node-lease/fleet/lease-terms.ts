import type { RedisConnection } from '@solegate/redis-infra';
import type { TsidLayout } from '../../codec/layout.js';

/** The options of a lease, complete and validated. Durations in milliseconds. */
export interface LeaseTerms {
  readonly redis: RedisConnection;
  readonly namespace: string;
  readonly layout: TsidLayout;
  /** Inclusive. */
  readonly nodes: { readonly first: number; readonly last: number };
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
  readonly trustEmptyRedis: boolean;
  readonly automatic: boolean;
  readonly now: () => number;
  readonly randomToken: () => string;
}
