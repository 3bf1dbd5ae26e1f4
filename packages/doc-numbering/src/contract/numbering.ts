import type { SqlPool, SqlSession } from '@solegate/postgres-infra';
import type { RedisConnection } from '@solegate/redis-infra';
import type {
  CounterFilter,
  CounterState,
  Finding,
  LedgerEntry,
  LedgerFilter,
  NumberingEvent,
  Page,
  PageRequest,
  ReconcileRequest,
} from './ledger-entry.js';
import type {
  AcceptedRegression,
  AcceptRegressionRequest,
  AssignRequest,
  CancelRequest,
  ConfirmRequest,
  Guard,
  ImportReport,
  ImportRequest,
  IssuedNumber,
  IssueRequest,
  NumberPreview,
  NumberWriter,
  PrintedAddress,
  ReplaceRequest,
  Reservation,
  ReserveRequest,
  SkipRequest,
  VoidedNumber,
  VoidRequest,
  WriteDocuments,
} from './requests.js';
import type {
  ArchiveReport,
  ArchiveRequest,
  DefaultFormatRequest,
  DocumentFormat,
  ParsedNumber,
  SaveFormatRequest,
  Series,
  SeriesDefinition,
  WithdrawFormatRequest,
} from './series.js';

/** Gapless document numbers. Every method refuses bad input with a {@link NumberingError} before it takes anything. */
export interface Numbering {
  /** Next number, in a commit shared with whoever else waits in this process. The everyday way. */
  issue(request: IssueRequest): Promise<IssuedNumber>;
  /** `count` consecutive numbers (1 to 1,000) in one commit. A `key` covers them all; `id` is refused. */
  issueMany(request: IssueRequest, count: number): Promise<IssuedNumber[]>;
  /** Next number inside the caller's transaction. Make it the last statement: the counter stays locked until the commit. */
  issueIn(session: SqlSession, request: IssueRequest): Promise<IssuedNumber>;
  /**
   * The same for several counters, such as an invoice and its receipt: they are locked in one fixed order, so that
   * transactions that draw them all by one call never deadlock. 1 to 100 requests, answered in their order.
   */
  issueAllIn(session: SqlSession, requests: readonly IssueRequest[]): Promise<IssuedNumber[]>;
  /** Names a function that stores documents; `writer.issue(request, document)` then commits document and number or neither. */
  registerWriter<Document>(name: string, write: WriteDocuments<Document>): NumberWriter<Document>;

  /** Holds the next number. Unconfirmed, it ends as a `cancelled` ledger row, never as a hole. */
  reserve(request: ReserveRequest): Promise<Reservation>;
  /** Makes a reservation an issued number. Repeating it gives the same entry. */
  confirm(request: ConfirmRequest): Promise<LedgerEntry>;
  /** Ends a reservation: its number stays in the ledger as `cancelled`. Repeating it gives the same entry. */
  cancel(request: CancelRequest): Promise<LedgerEntry>;
  /** Ends reservations whose time is over, the oldest first; gives how many. `reconcile` does it too. */
  expireReservations(request?: { countMax?: number }): Promise<number>;
  /**
   * Ends them by itself, every `intervalMs` (1,000 to 86,400,000; default 60,000) more or less, until `close()`. Several
   * processes may: they share the work. A failed sweep is reported as `sweepFailed`.
   */
  startSweeper(request?: { intervalMs?: number }): void;
  /** Takes a number out of use. It stays in the ledger and is never issued again. */
  void(request: VoidRequest): Promise<VoidedNumber>;
  /** Voids a number and issues the next one of the same series in its place, in one commit. */
  voidAndReplace(request: ReplaceRequest): Promise<VoidedNumber>;
  /** Gives out one chosen sequence: above the counter (skipped ones become `cancelled` rows) or in the manual interval. */
  assign(request: AssignRequest): Promise<IssuedNumber>;
  /** Records the sequences up to `upTo` as `cancelled`, for example numbers lost in a fail-over. Gives how many. */
  skipTo(request: SkipRequest): Promise<number>;
  /** Takes a counter as it stands after a restore on purpose, below numbers that were issued once and may be again. Kept as an event. */
  acceptRegression(request: AcceptRegressionRequest): Promise<AcceptedRegression>;
  /**
   * Moves the ledger rows of a series' periods that end before or on its `closedUntil` to an archive table. Look-ups, lists,
   * keys and `reconcile` know them as before; they can no longer be void, their counters draw no more, and `closedUntil`
   * cannot go back. Counters with a reservation that has not ended are left. Repeating it does nothing.
   */
  archive(request: ArchiveRequest): Promise<ArchiveReport>;
  /** Takes over numbers of another system: all or nothing; counters only rise. */
  importNumbers(request: ImportRequest): Promise<ImportReport>;

  /** The number that the counter would give now; takes nothing. */
  preview(address: PrintedAddress): Promise<NumberPreview>;
  /** Reads a number back into its parts; `undefined` when no format of the series could have printed it. */
  parse(request: { space: string; series: string; number: string }): Promise<ParsedNumber | undefined>;

  /** Creates the series, or changes what may change. Repeating it with the same rules does nothing. */
  defineSeries(definition: SeriesDefinition): Promise<Series>;
  /** All series, or those of one space. */
  listSeries(filter?: { space?: string }): Promise<Series[]>;
  /** Checks the template and saves it as the next version. The same template as the newest version's is no new version. */
  saveFormat(request: SaveFormatRequest): Promise<DocumentFormat>;
  /**
   * Saves a template that every series of the space without a format gets as its first version, now or when it is defined,
   * if it fits its rules; the others have none until they are given one. Returns what was saved for series that are there.
   */
  saveDefaultFormat(request: DefaultFormatRequest): Promise<DocumentFormat[]>;
  /** Takes a version back by which no number was printed, so that its texts are free for another. */
  withdrawFormat(request: WithdrawFormatRequest): Promise<void>;
  /** All versions of all formats, or of one space or series. */
  listFormats(filter?: { space?: string; series?: string }): Promise<DocumentFormat[]>;

  /** The entry of this number or row, `undefined` where there is none. */
  findNumber(
    query: { space: string; number: string } | { id: bigint | string },
  ): Promise<LedgerEntry | undefined>;
  /** For DataLoaders: entries in the order of `ids`, `undefined` where there is none. */
  findNumbersById(ids: readonly (bigint | string)[]): Promise<(LedgerEntry | undefined)[]>;
  /** A page of the ledger: of one space in the order of its numbers, else by counter and sequence. */
  listNumbers(filter: LedgerFilter, page?: PageRequest): Promise<Page<LedgerEntry>>;
  /** A page of counters. */
  listCounters(filter: CounterFilter, page?: PageRequest): Promise<Page<CounterState>>;
  /** A page of events, the oldest first. */
  listEvents(filter: { space?: string; number?: string }, page?: PageRequest): Promise<Page<NumberingEvent>>;
  /** The ledger as CSV (RFC 4180, header line, CRLF), read page by page. */
  exportCsv(filter: LedgerFilter): AsyncIterable<string>;
  /** Looks for holes, regressions, ended reservations, numbers without a document, formats that run full. */
  reconcile(request?: ReconcileRequest): Promise<Finding[]>;

  /** Refuses new requests, waits for those under way, gives the locks back. May be called twice. */
  close(): Promise<void>;
}

/** One code looked up in the app's master data. */
export interface CodeQuery {
  readonly space: string;
  /** Token that prints it: `PROJECT`, `TYPE`, `ORG`, `RECIPIENT`, `DISCIPLINE`, … */
  readonly token: string;
  /** What the request gave. */
  readonly reference: string;
}

/**
 * The app's master data. `find` gives the code to print (and to count by), or `undefined` when there is none: the
 * request is then refused with UNKNOWN_CODE before anything is taken. It is called for every request, so cache in it.
 */
export interface CodeDirectory {
  /** The code to print, or `undefined` when there is none. */
  find(query: CodeQuery): string | undefined | Promise<string | undefined>;
}

/** A token of your own, usable as a dimension or a field. */
export interface TokenDefinition {
  /** Upper case letters, digits and `_`, beginning with a letter. */
  readonly name: string;
  /** Characters beside letters, marks, digits, `.` and `_` that its codes may have. Default: none. */
  readonly extraCharacters?: string;
  /** Longest code, 1 to 50. Default 20. */
  readonly lengthMax?: number;
}

/** What happened, for metrics and logs. Handlers should return at once; what they throw is ignored. */
export interface NumberingObserver {
  /** A request queues, in its caller's asynchronous context. What this returns is among the `origins` of the commit that serves it. */
  readonly requestQueued?: () => unknown;
  /** A commit with numbers: how many, of how many counters, for whom, and what it took. */
  readonly batchCommitted?: (facts: {
    readonly numberCount: number;
    readonly counterCount: number;
    readonly guard: Guard;
    readonly retryCount: number;
    readonly durationMs: number;
    readonly waitedMaxMs: number;
    /** What `requestQueued` returned for the requests of the commit; without what was undefined. */
    readonly origins: readonly unknown[];
  }) => void;
  /** Redis was asked for locks. */
  readonly lockWaited?: (facts: { waitedMs: number; outcome: 'held' | 'timeout' | 'unavailable' }) => void;
  /** Another holder moved the counter first; the batch is repeated. */
  readonly versionConflicted?: (facts: { readonly counterCount: number; readonly attempt: number }) => void;
  /** A batch goes on without Redis, on row locks alone. */
  readonly fellBack?: (facts: { reason: 'busy' | 'unavailable' | 'circuit_open' | 'conflicts' }) => void;
  /** A statement failed and is repeated under the same batch. */
  readonly storeRetried?: (facts: { readonly attempt: number; readonly error: unknown }) => void;
  /** A format's width is at least nine tenths used; sent once for 0.9 and once for 0.95 a process and counter. */
  readonly widthWarned?: (facts: {
    readonly counter: string;
    readonly lastNumber: number;
    readonly widthUsed: number;
    readonly threshold: 0.9 | 0.95;
  }) => void;
  /** A counter stood below a number that was issued; requests for it are refused with COUNTER_REGRESSION. */
  readonly regressionFound?: (facts: {
    readonly counter: string;
    readonly lastNumber: number;
    readonly highWaterMark: number;
  }) => void;
  /** Ended reservations could not be swept; the next sweep tries again. */
  readonly sweepFailed?: (error: unknown) => void;
  /** Giving a lock back failed; it ends by itself. No number waits for it. */
  readonly releaseFailed?: (error: unknown) => void;
}

/** The stores, the rules of the app, and the bounds of every call. */
export interface NumberingOptions {
  /** `pg.Pool`, or `dataSource.driver.master` of TypeORM. */
  readonly database: SqlPool;
  /** Connections of the pool in use at a time, from 1. Give it what the pool may spare. Default 10, as in `pg`. */
  readonly connectionMax?: number;
  /**
   * A connection of `connectRedis`, purpose `decision`. It stays yours to close. Redis remembers how far each counter was
   * drawn from, and keeps other processes away from a crowded one. Absent: PostgreSQL alone keeps callers apart; numbers
   * are as safe, only commits that a fail-over has lost are not found out.
   */
  readonly redis?: { readonly decision: RedisConnection };
  /**
   * When the Redis lock of a counter comes before its row: `crowd`, for two seconds after a wait for the row was in vain;
   * `always`, with the version check behind it, for every commit; `never`. Default `crowd`.
   */
  readonly lock?: 'crowd' | 'always' | 'never';
  /** Default: the codes of a request are printed as they are. */
  readonly codes?: CodeDirectory;
  readonly tokens?: readonly TokenDefinition[];
  readonly observer?: NumberingObserver;
  /** Milliseconds since 1970, for business dates and waits. Default `Date.now`. */
  readonly now?: () => number;
  /** Between 0 and 1, for the jitter of repeats. Default `Math.random`. */
  readonly random?: () => number;
  /** Life of a Redis lock. 100 to 60,000. Default 3,000. */
  readonly lockTtlMs?: number;
  /** How long a counter waits for its busy Redis lock before it goes on without. 0 to 1,000. Default 100. */
  readonly lockWaitMs?: number;
  /** Numbers in one commit. 1 to 10,000. Default 2,000. */
  readonly batchMax?: number;
  /** Longest run of one call of a writer before its transaction is given up. Default 5,000. */
  readonly writerTimeoutMs?: number;
  /**
   * How long a call may take, with all waits and repeats, whatever the stores do. It then ends as BUSY,
   * STORE_UNAVAILABLE or OUTCOME_UNKNOWN. `importNumbers`, `skipTo`, `archive` and `reconcile` have a `timeoutMs` of their
   * own. 1 to 3,600,000. Default 10,000.
   */
  readonly requestTimeoutMs?: number;
  /** Prepared statements by name; they end by themselves when a pooler turns out to lose them. Default `true`. */
  readonly namedStatements?: boolean;
}
