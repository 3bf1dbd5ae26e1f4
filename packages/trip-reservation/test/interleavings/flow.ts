/** A process that takes accepts from drivers. */
export interface Gateway {
  /** The outcome's kind, or `ERROR`. */
  accept(tripId: bigint, driverId: bigint, epoch?: number): Promise<string>;
  /** Stops the process right before its next deciding statement reaches PostgreSQL. */
  stopBeforeDecision(): DecisionStop;
  /** Makes the next deciding statement fail, surely not applied. */
  failNextDecision(): void;
}

export interface DecisionStop {
  /** Resolves when the process has arrived there. */
  readonly reached: Promise<void>;
  resume(): void;
}

export interface GatewayOptions {
  /** Through a proxy, or undefined for the flow's own. */
  readonly redisUrl?: string;
  readonly databaseUrl?: string;
  readonly withoutRedis?: boolean;
}

export interface StoredTrip {
  readonly status: string;
  readonly driverId: bigint | undefined;
}

/** One way of reserving trips, on real stores, as the interleavings play it. */
export interface Flow extends AsyncDisposable {
  openTrip(): Promise<bigint>;
  gateway(options?: GatewayOptions): Promise<Gateway>;
  /** What time does to the key of the trip in Redis. */
  holdRunsOut(tripId: bigint): Promise<void>;
  cancelByRider(tripId: bigint): Promise<void>;
  /** The driver who has the trip leaves it; resolves with the epoch of the next offer. */
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
