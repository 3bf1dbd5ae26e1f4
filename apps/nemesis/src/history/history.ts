/** How a call ended: the answer, or the error that the caller received. */
export type Ending<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly code: string; readonly outcomeUnknown: boolean };

/** One call of one caller, including the client's retries. */
export type Call = { readonly tookMs: number } & (
  | { readonly asked: 'ids'; readonly ending: Ending<readonly string[]> }
  | { readonly asked: 'number'; readonly key: string; readonly ending: Ending<string> }
  | {
      readonly asked: 'trip';
      readonly tripId: string;
      readonly epoch: number;
      readonly driverId: string;
      /** `TripAccepted`, `TripTaken` …, as the API names it. */
      readonly ending: Ending<string>;
    }
);

/** A row of the ledger. */
export interface LedgerRow {
  readonly counter: string;
  readonly sequence: number;
  readonly number: string;
  readonly key: string | null;
}

/** An accept as stored in PostgreSQL: the driver who won the trip in an epoch. */
export interface StoredAccept {
  readonly tripId: string;
  readonly epoch: number;
  readonly driverId: string;
}

/** A counter and its last number. */
export interface Counter {
  readonly counter: string;
  readonly last: number;
}

/** Everything that is known at the end of a run. */
export interface History {
  readonly calls: readonly Call[];
  readonly ledger: readonly LedgerRow[];
  readonly counters: readonly Counter[];
  readonly accepts: readonly StoredAccept[];
  /** No call may take longer. */
  readonly callLimitMs: number;
}
