/** What happens to a lease, in the order in which it happens. */
export type NodeLeaseEvent =
  | {
      readonly kind: 'leased';
      readonly node: number;
      readonly floorMs: number;
      readonly ceilingMs: number;
    }
  | {
      readonly kind: 'renewed';
      readonly node: number;
      readonly ceilingMs: number;
      readonly latencyMs: number;
    }
  /** The window stays in force until its ceiling; renewing is tried again. */
  | {
      readonly kind: 'renewalFailed';
      readonly node: number;
      readonly windowLeftMs: number;
      readonly cause: unknown;
    }
  /** The node was dropped; another one is being claimed. */
  | {
      readonly kind: 'lost';
      readonly node: number;
      readonly reason: 'lost' | 'ended';
      readonly detail: string;
    }
  /** Claiming another node failed; it is tried again. */
  | { readonly kind: 'claimFailed'; readonly retryInMs: number; readonly cause: unknown }
  /** Redis lost its memory; claims wait. */
  | { readonly kind: 'quarantined'; readonly leftMs: number }
  | { readonly kind: 'released'; readonly node: number }
  /** Something an operator should change; minting goes on. */
  | { readonly kind: 'warning'; readonly message: string };
