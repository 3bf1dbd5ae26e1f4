export interface ReconcileRequest {
  readonly space?: string;
  readonly series?: string;
  /** Also list numbers without a document that are older than this. Default: they are not looked for. */
  readonly unattachedAfterMs?: number;
  /** How long all of it may take. 1,000 to 86,400,000. Default 600,000 (ten minutes). */
  readonly timeoutMs?: number;
}

/** Something that a person should look at, from the database alone. */
export type Finding =
  | {
      /** Sequences missing from the ledger between its first and the counter's last number. */
      readonly kind: 'hole';
      readonly counterId: string;
      readonly counter: string;
      readonly first: number;
      readonly last: number;
    }
  | {
      /** The counter stands below a number of the ledger or below what Redis remembers. */
      readonly kind: 'regression';
      readonly counterId: string;
      readonly counter: string;
      readonly lastNumber: number;
      readonly highWaterMark: number;
    }
  | {
      /** Redis gave no answer: regressions of these counters below what it remembers were not looked for. */
      readonly kind: 'marks_unread';
      readonly counterCount: number;
    }
  | {
      /** Reservations whose time is over and that were cancelled by this call. */
      readonly kind: 'expired_reservations';
      readonly count: number;
    }
  | {
      readonly kind: 'unattached';
      readonly counterId: string;
      readonly counter: string;
      readonly count: number;
      readonly example: string;
    }
  | {
      readonly kind: 'width';
      readonly counterId: string;
      readonly counter: string;
      readonly lastNumber: number;
      readonly widthUsed: number;
    };
