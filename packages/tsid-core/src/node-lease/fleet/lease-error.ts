/** Error codes of the node lease. */
export type NodeLeaseErrorCode =
  | 'INVALID_LEASE_OPTIONS'
  | 'NODE_LEASE_UNAVAILABLE'
  | 'NODE_LEASE_QUARANTINED'
  | 'NODES_EXHAUSTED'
  | 'LEASE_PIN_MISMATCH'
  | 'CLOCK_DIFFERENCE'
  | 'DEVELOPMENT_NODE_REFUSED';

/** Marks the errors of every copy of this package: a process can load both an ES module and a CommonJS copy. */
const ERROR = Symbol.for('@solegate/tsid-core/lease-error');

/**
 * Base class of all node lease errors, each with a literal code to branch on. `instanceof NodeLeaseError` also
 * recognizes errors from another copy of this package.
 */
export abstract class NodeLeaseError extends Error {
  abstract readonly code: NodeLeaseErrorCode;
  /** Whether the same call can succeed later without a change of configuration. */
  abstract readonly retryable: boolean;

  static {
    Object.defineProperty(NodeLeaseError.prototype, ERROR, { value: true });
  }

  /** Also recognizes errors from another copy of this package, such as one in the other module format. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the subclasses inherit this and keep the plain check
    if (this !== NodeLeaseError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && ERROR in value;
  }
}

/** Options are out of range or contradict each other. Redis was not called. */
export class InvalidLeaseOptionsError extends NodeLeaseError {
  override readonly name = 'InvalidLeaseOptionsError';
  readonly code = 'INVALID_LEASE_OPTIONS';
  readonly retryable = false;
}

/** Redis was unreachable, full, or refused the call, so there is no node. `cause` is the last failure of the call. */
export class NodeLeaseUnavailableError extends NodeLeaseError {
  override readonly name = 'NodeLeaseUnavailableError';
  readonly code = 'NODE_LEASE_UNAVAILABLE';
  readonly retryable = true;

  constructor(
    readonly attemptCount: number,
    options: { readonly cause: unknown; readonly isFull: boolean },
  ) {
    const { cause, isFull } = options;
    const what = isFull
      ? 'Redis is full (maxmemory) and refuses writes. Give it memory, or let it evict keys that expire.'
      : (repliedWith(cause) ??
        `Redis did not reply in ${attemptCount} attempts. Check its address and that it is running.`);
    super(`No node ID could be leased: ${what}`, { cause });
  }
}

/** What an error reply of Redis says and what to do about it; undefined if there was no reply. */
function repliedWith(failure: unknown): string | undefined {
  const reply = failure instanceof Error ? failure.cause : undefined;
  if (!(reply instanceof Error && reply.name === 'ReplyError')) return undefined;
  const advice = ADVICE.find(([pattern]) => pattern.test(reply.message))?.[1];
  return `Redis replied "${reply.message}".${advice === undefined ? '' : ` ${advice}`}`;
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/WRONGPASS|NOAUTH/, 'Check the user and password in the URL.'],
  [/NOPERM|can't (?:access|run)/, 'Give the user the permissions listed in the README of tsid-core.'],
  [/READONLY/, 'This is a replica: connect to the master, or through Sentinel.'],
  [/WRONGTYPE/, 'Another program uses the same keys: choose another namespace.'],
];

/** Whether repeating a call cannot help: Redis rejected the caller, or could not run the script. */
export function isPermanent(failure: { readonly code: string; readonly message: string }): boolean {
  return failure.code === 'REDIS_SCRIPT' || /WRONGPASS|NOAUTH|NOPERM/.test(failure.message);
}

/** Why Redis may remember less than it granted. */
export type QuarantineReason = 'EMPTY' | 'RESTARTED' | 'ENTRIES_LOST' | 'ROLLED_BACK' | 'SILENT' | 'IDLE';

const REASONS: Readonly<Record<QuarantineReason, string>> = {
  EMPTY: 'Redis remembers no leases',
  RESTARTED: 'Redis was restarted or failed over',
  ENTRIES_LOST: 'Redis lost lease entries',
  ROLLED_BACK: 'Redis was rolled back to an earlier state',
  SILENT:
    'Redis saw no holder for longer than a quarantine although nodes were held, so another master may have replaced it',
  IDLE: 'No node was in use for longer than a quarantine, so another master may have granted nodes meanwhile',
};

/** Redis may have lost leases; no node is granted until live holders have had time to report. */
export class NodeLeaseQuarantinedError extends NodeLeaseError {
  override readonly name = 'NodeLeaseQuarantinedError';
  readonly code = 'NODE_LEASE_QUARANTINED';
  readonly retryable = true;

  constructor(
    readonly leftMs: number,
    readonly reason: QuarantineReason,
  ) {
    super(
      `${REASONS[reason]}; nodes are granted again in ${leftMs} ms (much longer than a window only if the clock of ` +
        'Redis moved backwards). Wait longer (waitMaxMs)' +
        (reason === 'EMPTY' || reason === 'RESTARTED' || reason === 'IDLE'
          ? ', or set trustEmptyRedis if no other process of this fleet can be alive.'
          : '.'),
    );
  }
}

/** Every node has a live holder. */
export class NodesExhaustedError extends NodeLeaseError {
  override readonly name = 'NodesExhaustedError';
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
  override readonly name = 'LeasePinMismatchError';
  readonly code = 'LEASE_PIN_MISMATCH';
  readonly retryable = false;

  constructor(
    readonly field: 'layout' | 'epochMs' | 'allocatorId' | 'quarantineMs',
    readonly pinned: string,
    readonly requested: string,
  ) {
    super(
      field === 'quarantineMs'
        ? `The fleet waits ${pinned} ms after Redis lost its memory, but windowMs + skewMaxMs of this process is ` +
            `${requested} ms. First start every process with quarantineMs ${requested} and its current window, ` +
            'then with the longer one.'
        : `The fleet's ${field} is pinned to ${pinned} in Redis, but this process has ${requested}. ` +
            'Give all processes the same setting, or use another namespace for another fleet.',
    );
  }
}

/** The clocks of this machine and of Redis are too far apart to mint inside granted windows. */
export class ClockDifferenceError extends NodeLeaseError {
  override readonly name = 'ClockDifferenceError';
  readonly code = 'CLOCK_DIFFERENCE';
  readonly retryable = true;

  constructor(
    readonly differenceMs: number,
    readonly limitMs: number,
  ) {
    super(
      `This machine's clock is ${Math.abs(differenceMs)} ms ${differenceMs > 0 ? 'ahead of' : 'behind'} Redis; at ` +
        `most ${limitMs} ms is allowed. Synchronize the clocks (NTP).`,
    );
  }
}

/** A random development node was requested in production. */
export class DevelopmentNodeRefusedError extends NodeLeaseError {
  override readonly name = 'DevelopmentNodeRefusedError';
  readonly code = 'DEVELOPMENT_NODE_REFUSED';
  readonly retryable = false;

  constructor() {
    super(
      'A random development node may collide with other processes: lease a node from Redis in production.',
    );
  }
}
