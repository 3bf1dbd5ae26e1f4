/** Every code an error of the node lease can carry. */
export type NodeLeaseErrorCode =
  | 'INVALID_LEASE_OPTIONS'
  | 'NODE_LEASE_UNAVAILABLE'
  | 'NODE_LEASE_QUARANTINED'
  | 'NODES_EXHAUSTED'
  | 'LEASE_PIN_MISMATCH'
  | 'CLOCK_DIFFERENCE'
  | 'DEVELOPMENT_NODE_REFUSED';

/** What all errors of the node lease have in common: a literal code to branch on. */
export abstract class NodeLeaseError extends Error {
  abstract readonly code: NodeLeaseErrorCode;
}

/** Options outside their range, or whose relations cannot work. Redis was not asked. */
export class InvalidLeaseOptionsError extends NodeLeaseError {
  override readonly name = 'InvalidLeaseOptionsError';
  readonly code = 'INVALID_LEASE_OPTIONS';
}

/** Redis did not answer, so there is no node. `cause` is the last failure of the connection. */
export class NodeLeaseUnavailableError extends NodeLeaseError {
  override readonly name = 'NodeLeaseUnavailableError';
  readonly code = 'NODE_LEASE_UNAVAILABLE';

  constructor(
    readonly attemptCount: number,
    options: { readonly cause: unknown },
  ) {
    super(
      `No node ID could be leased: Redis did not answer ${attemptCount} attempts. Check its address and that it runs.`,
      options,
    );
  }
}

/** Redis lost its memory a moment ago; no node is granted before living holders had time to report. */
export class NodeLeaseQuarantinedError extends NodeLeaseError {
  override readonly name = 'NodeLeaseQuarantinedError';
  readonly code = 'NODE_LEASE_QUARANTINED';

  constructor(readonly leftMs: number) {
    super(
      `Redis lost its memory of the leases; nodes are granted again in ${leftMs} ms. Wait longer (waitMaxMs), or ` +
        'set trustEmptyRedis if no other process of this fleet can be alive.',
    );
  }
}

/** Every node has a living holder. */
export class NodesExhaustedError extends NodeLeaseError {
  override readonly name = 'NodesExhaustedError';
  readonly code = 'NODES_EXHAUSTED';

  constructor(
    readonly liveCount: number,
    readonly nextEndsInMs: number,
  ) {
    super(
      `All nodes are taken: ${liveCount} leases are live, the next window ends in ${nextEndsInMs} ms unless renewed. ` +
        'Stop processes, or use a layout with more node bits.',
    );
  }
}

/** This process and the fleet disagree about something all must share. */
export class LeasePinMismatchError extends NodeLeaseError {
  override readonly name = 'LeasePinMismatchError';
  readonly code = 'LEASE_PIN_MISMATCH';

  constructor(
    readonly field: 'layout' | 'epochMs' | 'windowMs' | 'skewMaxMs' | 'allocatorId',
    readonly pinned: string,
    readonly requested: string,
  ) {
    super(
      `The fleet's ${field} is pinned to ${pinned} in Redis, but this process has ${requested}. ` +
        'Configure all processes alike, or use another namespace for another fleet.',
    );
  }
}

/** The clocks of this machine and of Redis are too far apart to mint inside granted windows. */
export class ClockDifferenceError extends NodeLeaseError {
  override readonly name = 'ClockDifferenceError';
  readonly code = 'CLOCK_DIFFERENCE';

  constructor(
    readonly differenceMs: number,
    readonly limitMs: number,
  ) {
    super(
      `This machine's clock is ${Math.abs(differenceMs)} ms ${differenceMs > 0 ? 'ahead of' : 'behind'} Redis; at ` +
        `most ${limitMs} ms are allowed. Synchronise the clocks (NTP).`,
    );
  }
}

/** A random development node was asked for in production. */
export class DevelopmentNodeRefusedError extends NodeLeaseError {
  override readonly name = 'DevelopmentNodeRefusedError';
  readonly code = 'DEVELOPMENT_NODE_REFUSED';

  constructor() {
    super(
      'A random development node may collide with other processes: lease a node from Redis in production.',
    );
  }
}
