import type { LeasePinMismatchError, QuarantineReason } from './lease-error.js';

/*
 * What grants windows, and remembers them: Redis or PostgreSQL. Each move is one round trip, decided by the store's own
 * clock, and atomic. A lost race is a reply; a store that cannot be reached or rejects the call is an error, which the
 * store itself explains.
 */

/** A node held by this process. The last token gives the right to renew it. Timestamps in Unix milliseconds. */
export interface HeldGrant {
  readonly node: number;
  readonly floorMs: number;
  readonly ceilingMs: number;
  /** The claim that it was granted to, for the life of the grant. */
  readonly claim: string;
  readonly token: string;
  /** Token of a renewal that might already have been applied. */
  readonly nextToken: string;
}

/** What a fleet agrees on and every caller repeats, so that the store can detect and restore what it lost. */
export interface CallerFacts {
  readonly namespace: string;
  readonly holder: string;
  /** Name of the layout. */
  readonly layout: string;
  readonly epochMs: number;
  readonly allocatorId: string;
  readonly windowMs: number;
  readonly skewMaxMs: number;
  /** The longest quarantine that the caller has seen. */
  readonly quarantineMs: number;
  /** The latest version that the caller has seen; 0 for none. */
  readonly version: number;
  /** The clock of the caller. */
  readonly nowMs: number;
  /** Which nodes the caller may be granted. */
  readonly nodes: NodeRange;
}

/** Asks for a node. */
export interface ClaimRequest extends CallerFacts {
  /** A random name of this claim, and its first token. */
  readonly claim: string;
  /** Whether this claim was sent before and got no reply. */
  readonly isRepeat: boolean;
  /** Whether the caller vouches for a store that remembers nothing. */
  readonly isTrusted: boolean;
  /** Whether any other allocator is refused, instead of being adopted. */
  readonly insistsOnAllocator: boolean;
}

/** Nodes from first to last, inclusive. */
export interface NodeRange {
  readonly first: number;
  readonly last: number;
}

export interface RenewalRequest extends CallerFacts {
  readonly grant: HeldGrant;
}

interface ReleaseRequest {
  readonly namespace: string;
  readonly grant: HeldGrant;
  /** First millisecond that was not minted in. */
  readonly unmintedFromMs: number;
  readonly version: number;
}

interface PinnedReply {
  readonly kind: 'pinned';
  readonly field: LeasePinMismatchError['field'];
  readonly pinned: string;
}

/** Facts that every holder sends back. */
interface FleetFacts {
  /** Incremented with every change of the grants. */
  readonly version: number;
  /** How long the fleet waits after the store lost its memory, in milliseconds. */
  readonly quarantineMs: number;
}

/** A node with the timestamps that may be minted on it. */
export interface GrantedReply extends FleetFacts {
  readonly kind: 'granted';
  readonly node: number;
  readonly floorMs: number;
  readonly ceilingMs: number;
  readonly nowMs: number;
  readonly liveCount: number;
  readonly allocatorId: string;
}

export type ClaimReply =
  | GrantedReply
  | PinnedReply
  | { readonly kind: 'clock'; readonly aheadMs: number }
  | { readonly kind: 'quarantined'; readonly leftMs: number; readonly reason: QuarantineReason }
  | { readonly kind: 'exhausted'; readonly liveCount: number; readonly nextEndsInMs: number };

export type RenewReply =
  | ({
      readonly kind: 'renewed';
      readonly ceilingMs: number;
      readonly nowMs: number;
      readonly liveCount: number;
    } & FleetFacts)
  | PinnedReply
  | { readonly kind: 'lost'; readonly detail: string }
  | { readonly kind: 'ended'; readonly detail: string; readonly nowMs: number };

export type ReleaseReply = { readonly kind: 'released' } | { readonly kind: 'lost' };

/** What the store remembers, for operators. */
export interface StoredFleet {
  readonly nowMs: number;
  /** Nodes are granted again from here on. */
  readonly safeAfterMs: number;
  /** undefined until the first grant. */
  readonly layout: string | undefined;
  readonly allocatorId: string | undefined;
  /** Every node that was ever used, in any order. */
  readonly nodes: readonly {
    readonly node: number;
    readonly ceilingMs: number;
    /** 0 if unknown. */
    readonly floorMs: number;
    readonly holder: string;
  }[];
}

/** What a failed call means. */
export interface StoreFault {
  /** Whether the call may have been applied. */
  readonly isUnknown: boolean;
  /** Whether repeating it cannot help. */
  readonly isPermanent: boolean;
  /** What is wrong and what to do, for operators. */
  explain(attemptCount: number): string;
}

/** Where a fleet gets its nodes from: one store for all its processes. */
export interface LeaseStore {
  /** As used in messages. */
  readonly name: string;
  /** Repeat the same claim with `isRepeat` after an unknown outcome. */
  claim(request: ClaimRequest): Promise<ClaimReply>;
  /** Repeat with the same grant after an unknown outcome. */
  renew(request: RenewalRequest): Promise<RenewReply>;
  /** After a failure, the window ends by itself at its ceiling. */
  release(request: ReleaseRequest): Promise<ReleaseReply>;
  /** Returns every node that was ever granted, and what the fleet agrees on. */
  list(namespace: string): Promise<StoredFleet>;
  /** Explains an error that one of the moves threw; undefined if it is none of the store's. */
  faultOf(error: unknown): StoreFault | undefined;
  /** Returns what an operator should change; nothing while the store does not reply. */
  warnings(): Promise<readonly string[]>;
  /** Calls `renew` whenever the store can be reached again. Returns a function that unsubscribes. */
  onReconnection(renew: () => void): () => void;
}
