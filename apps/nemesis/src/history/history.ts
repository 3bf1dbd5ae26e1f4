/** How a call ended: the answer, or the error that the caller received. */
export type Ending<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly code: string; readonly outcomeUnknown: boolean };

/** A number as an answer reports it. Documents report only the number, and the ID of their row. */
export interface NumberAnswer {
  readonly number: string;
  readonly sequence?: number;
  readonly status?: string;
  readonly documentId?: string;
}

/** A trip as an answer reports it. `kind`: `TripAccepted`, `TripTaken` …, as the API names the outcome. */
export interface TripAnswer {
  readonly kind: string;
  readonly epoch?: number;
  readonly status?: string;
  readonly activeTripId?: string;
  readonly acceptedAt?: string;
}

/** What callers ask, and what the answer to each kind of question is. */
export interface Questions {
  ids: {
    readonly asks: { readonly count: number; readonly gateway: number };
    readonly answer: readonly string[];
  };
  numbers: {
    readonly asks: {
      readonly way: 'issue' | 'batch' | 'reserve' | 'document' | 'replacement';
      readonly key: string;
      readonly count: number;
    };
    readonly answer: readonly NumberAnswer[];
  };
  /** Another person uses the key under which a number was issued. */
  borrowing: {
    readonly asks: { readonly key: string; readonly number: string };
    /** As the API names the outcome, and the number if they received one. */
    readonly answer: { readonly kind: string; readonly number?: string };
  };
  correction: {
    readonly asks: { readonly step: 'void' | 'replace' | 'confirm' | 'cancel'; readonly number: string };
    readonly answer: NumberAnswer & { readonly replacedBy?: string };
  };
  /** The answer is whether the rows were stored. */
  import: { readonly asks: { readonly numbers: readonly string[] }; readonly answer: boolean };
  request: {
    readonly asks: {
      readonly riderId: string;
      readonly key: string;
      /** Where the trip starts, if it is offered to the nearest drivers first. */
      readonly place?: string;
    };
    readonly answer: { readonly tripId: string; readonly epoch: number; readonly revision: number };
  };
  accept: {
    readonly asks: { readonly tripId: string; readonly epoch: number; readonly driverId: string };
    readonly answer: TripAnswer;
  };
  ride: {
    readonly asks: {
      readonly step: 'start' | 'complete' | 'leave' | 'cancel';
      readonly tripId: string;
      /** The driver, or the rider who cancels. */
      readonly userId: string;
    };
    readonly answer: TripAnswer;
  };
  /** The answer is for how many milliseconds the position counts. */
  position: {
    readonly asks: { readonly driverId: string; readonly place: string };
    readonly answer: number;
  };
}

export type Asked = keyof Questions;

/** One call of one caller, including the client's retries. Times are in milliseconds since the process began. */
export type CallOf<Kind extends Asked> = Kind extends Asked
  ? Questions[Kind]['asks'] & {
      readonly asked: Kind;
      readonly atMs: number;
      readonly tookMs: number;
      readonly ending: Ending<Questions[Kind]['answer']>;
    }
  : never;

export type Call = CallOf<Asked>;

/** A call that was answered, with its answer. */
export type Answered<Kind extends Asked> = CallOf<Kind> & { readonly answer: Questions[Kind]['answer'] };

/** A row of the ledger. */
export interface LedgerRow {
  readonly counter: string;
  readonly sequence: number;
  readonly number: string;
  readonly key: string | null;
  readonly status: string;
  readonly replacedBy: string | null;
  /** ID of the document that was stored with the number. */
  readonly documentId: string | null;
}

/** A counter and its last number. */
export interface Counter {
  readonly counter: string;
  readonly last: number;
}

/** The place of a number in a chain. */
export interface StoredSeal {
  readonly chain: string;
  readonly position: number;
  readonly counter: string;
  readonly sequence: number;
  readonly previous: string;
  readonly seal: string;
}

/** A row of the gateway's documents. */
export interface StoredDocument {
  readonly id: string;
  readonly number: string;
}

export interface StoredTrip {
  readonly tripId: string;
  /** Position of its cell. */
  readonly cell: number;
  readonly riderId: string;
  readonly key: string | null;
  readonly status: string;
  readonly epoch: number;
  readonly revision: number;
  readonly driverId: string | null;
  /** Null: everyone. */
  readonly offered: readonly string[] | null;
  /** Drivers who left it. */
  readonly excluded: readonly string[];
}

/** An event as stored with the change of the trip. */
export interface StoredEvent {
  readonly tripId: string;
  readonly revision: number;
  readonly type: string;
  readonly status: string;
  readonly epoch: number;
  readonly driverId: string | null;
  readonly isPublished: boolean;
}

/** A driver and the trip that they are on. */
export interface ActiveDriver {
  readonly driverId: string;
  readonly tripId: string;
}

/** What PostgreSQL holds at the end of a run, in all cells. */
export interface Stores {
  readonly ledger: readonly LedgerRow[];
  readonly counters: readonly Counter[];
  readonly seals: readonly StoredSeal[];
  readonly documents: readonly StoredDocument[];
  readonly trips: readonly StoredTrip[];
  readonly events: readonly StoredEvent[];
  readonly active: readonly ActiveDriver[];
}

/** An event as a subscriber of a trip received it. */
export type ReceivedEvent = Pick<StoredEvent, 'revision' | 'type' | 'status' | 'epoch'>;

/** A fact as a reader of the ledger's feed received it. */
export interface ReceivedFact {
  readonly kind: string;
  readonly number: string;
  readonly counter: string;
  readonly sequence: number;
}

/** What subscribers received. */
export interface Streams {
  /** From the first revision on, for as long as the trip lasted. */
  readonly updates: readonly { readonly tripId: string; readonly events: readonly ReceivedEvent[] }[];
  /** Trips offered to a driver who was connected during the calm. */
  readonly offers: readonly string[];
  /** Numbers that a clerk received who was connected during the calm. */
  readonly numbers: readonly string[];
  /** What a clerk received who followed each series from its first number. */
  readonly facts: readonly ReceivedFact[];
}

/** Everything that is known at the end of a run. */
export interface History extends Stores {
  readonly calls: readonly Call[];
  readonly streams: Streams;
  /** Subscribers were connected and nothing failed from then on. Infinity if there was no such time. */
  readonly calmFromMs: number;
  /** No call may take longer. */
  readonly callLimitMs: number;
}

/** The answered calls of one kind, in the order in which they ended. */
export function answered<Kind extends Asked>(
  { calls }: Pick<History, 'calls'>,
  kind: Kind,
): Answered<Kind>[] {
  return calls.flatMap((call) =>
    call.asked === kind && call.ending.kind === 'answered'
      ? [{ ...call, answer: call.ending.answer } as unknown as Answered<Kind>]
      : [],
  );
}

/** Whether the first call had ended when the second began. */
export function precedes(
  first: { readonly atMs: number; readonly tookMs: number },
  second: { readonly atMs: number },
): boolean {
  return first.atMs + first.tookMs <= second.atMs;
}

export function grouped<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
