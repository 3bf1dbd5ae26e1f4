/** A process that takes accepts from drivers. */
export interface Gateway {
  /** The outcome's kind, or `ERROR`. */
  accept(tripId: bigint, driverId: bigint, epoch?: number): Promise<string>;
  /** Stops the process right before its next deciding statement reaches PostgreSQL. */
  stopBeforeDecision(): DecisionStop;
  /** Makes the next deciding statement fail without being applied. */
  failNextDecision(): void;
}

export interface DecisionStop {
  /** Resolves when the process is stopped there. */
  readonly reached: Promise<void>;
  resume(): void;
}

export interface GatewayOptions {
  /** A proxy; undefined: the flow's own. */
  readonly redisUrl?: string;
  readonly databaseUrl?: string;
  readonly withoutRedis?: boolean;
}

export interface StoredTrip {
  readonly status: string;
  readonly driverId: bigint | undefined;
}

/** A way of reserving trips on real stores. */
export interface Flow extends AsyncDisposable {
  openTrip(): Promise<bigint>;
  gateway(options?: GatewayOptions): Promise<Gateway>;
  /** Expires the trip's key in Redis. */
  holdRunsOut(tripId: bigint): Promise<void>;
  cancelByRider(tripId: bigint): Promise<void>;
  /** Lets the trip's driver leave; resolves with the epoch of the next offer. */
  redispatch(tripId: bigint, driverId: bigint): Promise<number>;
  stored(tripId: bigint): Promise<StoredTrip>;
  activeTripCount(driverId: bigint): Promise<number>;
}

let lastId = 0n;

/** An ID that no other case of this process uses. */
export function freshId(): bigint {
  lastId += 1n;
  return lastId;
}
