import { errorName, recognizeCopies } from '../../codec/error-identity.js';

/** Error codes of the node lease. */
export type NodeLeaseErrorCode =
  | 'INVALID_LEASE_OPTIONS'
  | 'NODE_LEASE_UNAVAILABLE'
  | 'NODE_LEASE_QUARANTINED'
  | 'NODES_EXHAUSTED'
  | 'LEASE_PIN_MISMATCH'
  | 'CLOCK_DIFFERENCE'
  | 'DEVELOPMENT_NODE_REFUSED';

/** Base class of all node lease errors, each with a literal code. */
export abstract class NodeLeaseError extends Error {
  abstract readonly code: NodeLeaseErrorCode;
  /** Whether the same call can succeed later without a change of configuration. */
  abstract readonly retryable: boolean;

  /** The name of the class in the source. */
  override get name(): string {
    return errorName(this.code);
  }

  static {
    recognizeCopies(NodeLeaseError, 'lease-error');
  }
}

/** Options are out of range or contradict each other. The store was not called. */
export class InvalidLeaseOptionsError extends NodeLeaseError {
  readonly code = 'INVALID_LEASE_OPTIONS';
  readonly retryable = false;
}

/** The store was unreachable or refused the call, so there is no node. `cause` is the last failure of the call. */
export class NodeLeaseUnavailableError extends NodeLeaseError {
  readonly code = 'NODE_LEASE_UNAVAILABLE';
  readonly retryable = true;

  constructor(
    readonly attemptCount: number,
    what: string,
    options: { readonly cause: unknown },
  ) {
    super(`No node ID could be leased: ${what}`, options);
  }
}

/** Why the store may remember less than it granted. */
export type QuarantineReason = 'EMPTY' | 'RESTARTED' | 'ENTRIES_LOST' | 'ROLLED_BACK' | 'SILENT' | 'IDLE';

const REASONS: Readonly<Record<QuarantineReason, string>> = {
  EMPTY: 'remembers no leases',
  RESTARTED: 'was restarted or failed over',
  ENTRIES_LOST: 'lost lease entries',
  ROLLED_BACK: 'was rolled back to an earlier state, or may have been',
  SILENT:
    'saw no holder for longer than a quarantine although nodes were held, so another master may have replaced it',
  IDLE: 'saw no node in use for longer than a quarantine, so another master may have granted nodes meanwhile',
};

/** The store may have lost leases; no node is granted until live holders have had time to report. */
export class NodeLeaseQuarantinedError extends NodeLeaseError {
  readonly code = 'NODE_LEASE_QUARANTINED';
  readonly retryable = true;

  constructor(
    readonly leftMs: number,
    readonly reason: QuarantineReason,
    storeName: string,
  ) {
    super(
      `${storeName} ${REASONS[reason]}; nodes are granted again in ${leftMs} ms (much longer than a window only if its ` +
        'clock moved backwards). Wait longer (waitMaxMs)' +
        (reason === 'EMPTY'
          ? ', or set trustEmptyStore if no other process of this fleet can be alive.'
          : '.'),
    );
  }
}

/** Every node has a live holder. */
export class NodesExhaustedError extends NodeLeaseError {
  readonly code = 'NODES_EXHAUSTED';
  readonly retryable = true;

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

/** This process and the fleet disagree about a setting that must be the same everywhere. */
export class LeasePinMismatchError extends NodeLeaseError {
  readonly code = 'LEASE_PIN_MISMATCH';
  readonly retryable = false;

  constructor(
    readonly field: 'layout' | 'epochMs' | 'allocatorId' | 'quarantineMs' | 'store' | 'nodes',
    readonly pinned: string,
    readonly requested: string,
  ) {
    super(
      `The fleet's ${field} is ${pinned}, but that of this process is ${requested}. ${ADVICE[field] ?? SAME_SETTING}`,
    );
  }
}

const SAME_SETTING = 'Give all processes the same setting, or use another namespace for another fleet.';
const ADVICE: Readonly<Partial<Record<LeasePinMismatchError['field'], string>>> = {
  quarantineMs:
    'It must cover windowMs + skewMaxMs: first start every process with the longer quarantineMs and its current ' +
    'window, then with the longer one. Or stop all processes and let the store forget it: delete the key "{sys:tsid}:meta" ' +
    'of Redis (sys:tsid is the namespace), or run "UPDATE tsid_allocator SET quarantine_ms = 0" in PostgreSQL.',
  store:
    'Set the same store in every process. To change it, stop all processes, run "UPDATE tsid_allocator SET store = ' +
    'NULL" in the database and, if Redis is the other store, delete its key "{sys:tsid}:meta" (sys:tsid is the namespace), ' +
    'and start them with the other store.',
  nodes:
    'Ranges of regions must not overlap, and never change while a process of the region runs. They are rows of ' +
    'tsid_node_ranges; the region of a database is in its tsid_allocator.',
};

/** The clocks of this machine and of the store are too far apart to mint inside granted windows. */
export class ClockDifferenceError extends NodeLeaseError {
  readonly code = 'CLOCK_DIFFERENCE';
  readonly retryable = true;

  constructor(
    readonly differenceMs: number,
    readonly limitMs: number,
    storeName: string,
  ) {
    super(
      `This machine's clock is ${Math.abs(differenceMs)} ms ${differenceMs > 0 ? 'ahead of' : 'behind'} ${storeName}; at ` +
        `most ${limitMs} ms is allowed. Synchronize the clocks (NTP).`,
    );
  }
}

/** A random development node was requested in production. */
export class DevelopmentNodeRefusedError extends NodeLeaseError {
  readonly code = 'DEVELOPMENT_NODE_REFUSED';
  readonly retryable = false;

  constructor() {
    super('A random development node may collide with other processes: lease a node in production.');
  }
}
