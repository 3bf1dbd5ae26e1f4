import type { RedisConnection } from '@solegate/redis-infra';
import type { TsidLayout } from '../../codec/layout.js';

/** What a process asks of its fleet, complete and checked. Durations in milliseconds. */
export interface LeaseTerms {
  readonly redis: RedisConnection;
  readonly namespace: string;
  readonly layout: TsidLayout;
  /** Both included. */
  readonly nodes: { readonly first: number; readonly last: number };
  /** undefined: whichever the fleet has. */
  readonly allocatorId: string | undefined;
  readonly windowMs: number;
  readonly renewEveryMs: number;
  readonly skewMaxMs: number;
  readonly quarantineMs: number;
  /** Pause before something that failed is tried again. */
  readonly retryEveryMs: number;
  readonly waitMaxMs: number;
  readonly holder: string;
  readonly trustEmptyRedis: boolean;
  readonly automatic: boolean;
  readonly now: () => number;
  readonly randomToken: () => string;
}
