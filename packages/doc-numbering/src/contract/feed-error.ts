import { NumberingError } from './numbering-error.js';

/** A feed has more counters than its cursor can hold: narrow it. A cursor of the wider feed stays valid in a narrower one. */
export class FeedTooWideError extends NumberingError {
  readonly code = 'FEED_TOO_WIDE';
  constructor(
    readonly space: string,
    readonly series: string,
    /** What can still be given: `period`, and the tokens of dimensions. Empty: the counter has too many periods. */
    readonly narrowBy: readonly string[],
  ) {
    const advice = narrowBy.length > 0 ? `narrow it by ${narrowBy.join(' or ')}` : 'follow fewer counters';
    super(`The feed of series "${series}" of "${space}" has too many counters; ${advice}`);
  }
}

/**
 * The ledger no longer has what was read up to this cursor: it was restored, or a failover lost its last commits. What
 * followed `after` might be gone or have changed; read again from there.
 */
export class FeedRewoundError extends NumberingError {
  readonly code = 'FEED_REWOUND';
  constructor(
    /** Cursor up to which what was read is still in the ledger. Undefined: read from the beginning. */
    readonly after: string | undefined,
  ) {
    super('The ledger has lost facts that this cursor has read; read again from the cursor `after`');
  }
}
