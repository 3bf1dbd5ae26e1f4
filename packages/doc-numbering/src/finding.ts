export interface ReconcileRequest {
  readonly space?: string;
  readonly series?: string;
  /** Also list numbers without a document that are older than this. Default: they are not looked for. */
  readonly unattachedAfterMs?: number;
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
