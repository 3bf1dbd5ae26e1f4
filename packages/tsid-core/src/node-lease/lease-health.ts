/** The lease at one moment, made without asking Redis. Durations in milliseconds. */
export interface NodeLeaseHealth {
  /**
   * `held`: may mint. `waiting`: lost or ended, another node is being claimed. `released`: final.
   * `development`: a random node that nothing guards.
   */
  readonly state: 'held' | 'waiting' | 'released' | 'development';
  /** May IDs be minted now? False also while the clock is outside the window. */
  readonly healthy: boolean;
  readonly namespace: string;
  /** The node in force; undefined while there is none. */
  readonly node: number | undefined;
  /** Who holds it, as other processes see it. */
  readonly holder: string;
  readonly floorMs: number | undefined;
  readonly ceilingMs: number | undefined;
  /** How long the window still reaches beyond the clock: the Redis outage that would be survived. */
  readonly windowLeftMs: number;
  /** How far the last ID is ahead of the clock; 0 when it is not. */
  readonly runAheadMs: number;
  /** This clock minus the clock of Redis at the last answer. */
  readonly clockDifferenceMs: number | undefined;
  /** How long the last renewal took. */
  readonly renewLatencyMs: number | undefined;
  /** Renewals in a row that failed. */
  readonly failedRenewalCount: number;
  /** Nodes nobody held at the last answer of Redis. */
  readonly freeNodeCount: number | undefined;
  /** Message of the last failure, until something succeeds. */
  readonly lastFailure: string | undefined;
}
