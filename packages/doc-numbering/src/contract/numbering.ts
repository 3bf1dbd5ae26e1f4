import type { SqlDatabase, SqlTransaction } from '@solegate/postgres-infra';
import type { RedisCalls } from '@solegate/redis-infra/calls';
import type { FactReading } from './feed.js';
import type { LedgerEntry } from './ledger-columns.js';
import type {
  CounterFilter,
  CounterState,
  Finding,
  FoundNumbers,
  LedgerFilter,
  NumberingEvent,
  NumberSearch,
  Page,
  PageRequest,
  ReconcileRequest,
} from './ledger-entry.js';
import type { NumberingObserver } from './observer.js';
import type {
  AcceptedRegression,
  AcceptRegressionRequest,
  AssignRequest,
  CancelRequest,
  ConfirmedNumber,
  ConfirmRequest,
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
import type { ChainReading, WriterOptions } from './seals.js';
import type {
  DefaultFormatRequest,
  DocumentFormat,
  ParsedNumber,
  SaveFormatRequest,
  Series,
  SeriesDefinition,
  WithdrawFormatRequest,
} from './series.js';

/** Gapless document numbers. Every method rejects bad input with a {@link NumberingError} before it takes a number. */
export interface Numbering extends ChainReading, FactReading, AsyncDisposable {
  /** Issues the next number, in a commit shared with other callers in this process. The usual choice. */
  issue(request: IssueRequest): Promise<IssuedNumber>;
  /** Issues `count` consecutive numbers (1 to 1,000) in one commit. A `key` covers them all; `id` is refused. */
  issueMany(request: IssueRequest, count: number): Promise<IssuedNumber[]>;
  /**
   * Issues the next number in the caller's transaction: a `pg` client after BEGIN, or what Prisma, Drizzle, Kysely, Knex,
   * Sequelize, TypeORM, postgres.js or PGlite pass to a transaction's callback. Call it last: the counter stays locked
   * until the commit.
   */
  issueIn(session: SqlTransaction, request: IssueRequest): Promise<IssuedNumber>;
  /**
   * Does the same for several counters, such as an invoice and its receipt. Counters are locked in a fixed order, so
   * transactions that draw all their numbers in one call never deadlock. 1 to 100 requests, answered in their order.
   */
  issueAllIn(session: SqlTransaction, requests: readonly IssueRequest[]): Promise<IssuedNumber[]>;
  /** Registers a function that stores documents; `writer.issue(request, document)` commits both or neither. */
  registerWriter<Document>(
    name: string,
    write: WriteDocuments<Document>,
    options?: WriterOptions<Document>,
  ): NumberWriter<Document>;

  /** Reserves the next number. If it is never confirmed, it becomes a `cancelled` ledger row, not a hole. */
  reserve(request: ReserveRequest): Promise<Reservation>;
  /** Turns a reservation into an issued number. A repeated call returns the same entry. */
  confirm(request: ConfirmRequest): Promise<ConfirmedNumber>;
  /** Ends a reservation: its number stays in the ledger as `cancelled`. A repeated call returns the same entry. */
  cancel(request: CancelRequest): Promise<LedgerEntry>;
  /** Expires overdue reservations, oldest first, and returns how many. `reconcile` does so too. */
  expireReservations(request?: { countMax?: number }): Promise<number>;
  /**
   * Expires them in the background, about every `intervalMs` (1,000 to 86,400,000; default 60,000), until `close()`.
   * Several processes can do so: they share the work. A failed sweep is reported as `sweepFailed`.
   */
  startSweeper(request?: { intervalMs?: number }): void;
  /** Takes a number out of use. It stays in the ledger and is never issued again. */
  void(request: VoidRequest): Promise<VoidedNumber>;
  /** Voids a number and issues the next one of the same series in its place, in one commit. */
  voidAndReplace(request: ReplaceRequest): Promise<VoidedNumber>;
  /** Issues one chosen sequence: above the counter (skipped ones become `cancelled` rows) or in the manual interval. */
  assign(request: AssignRequest): Promise<IssuedNumber>;
  /** Records the sequences up to `upTo` as `cancelled`, for example numbers lost in a failover. Returns how many. */
  skipTo(request: SkipRequest): Promise<number>;
  /** Accepts a counter that a restore left below issued numbers, which are then issued again. Stored as an event. */
  acceptRegression(request: AcceptRegressionRequest): Promise<AcceptedRegression>;
  /** Imports the numbers of another system, all or nothing; counters only rise. */
  importNumbers(request: ImportRequest): Promise<ImportReport>;

  /** Returns the number that the counter would issue now, without taking it. */
  preview(address: PrintedAddress): Promise<NumberPreview>;
  /** Parses a number into its parts; returns `undefined` if no format of the series could have printed it. */
  parse(request: { space: string; series: string; number: string }): Promise<ParsedNumber | undefined>;

  /** Creates the series, or changes those rules that can change. Calling it again with the same rules does nothing. */
  defineSeries(definition: SeriesDefinition): Promise<Series>;
  /** Returns all series, or those of one space. */
  listSeries(filter?: { space?: string }): Promise<Series[]>;
  /** Checks the template and saves it as the next version, unless it equals the newest version. */
  saveFormat(request: SaveFormatRequest): Promise<DocumentFormat>;
  /**
   * Saves a template that becomes the first version of each series of the space without a format, now or when it is
   * defined, if it fits the series' rules; others have none until they get their own. Returns those saved by this call.
   */
  saveDefaultFormat(request: DefaultFormatRequest): Promise<DocumentFormat[]>;
  /** Withdraws a version that has printed no number, which frees its texts for another format. */
  withdrawFormat(request: WithdrawFormatRequest): Promise<void>;
  /** Returns all versions of all formats, or those of one space or series. */
  listFormats(filter?: { space?: string; series?: string }): Promise<DocumentFormat[]>;

  /** Returns the entry of this number, row or reservation, or `undefined`. A token finds its row after its end, too. */
  findNumber(
    query: { space: string; number: string } | { id: bigint | string } | { token: string },
  ): Promise<LedgerEntry | undefined>;
  /** Returns entries in the order of `ids`, as DataLoader requires; `undefined` for each missing one. */
  findNumbersById(ids: readonly (bigint | string)[]): Promise<(LedgerEntry | undefined)[]>;
  /** Returns a page of the ledger, ordered by number within one space, else by counter and sequence. */
  listNumbers(filter: LedgerFilter, page?: PageRequest): Promise<Page<LedgerEntry>>;
  /** Finds numbers by what a person remembers of them, newest first. */
  searchNumbers(search: NumberSearch): Promise<FoundNumbers>;
  /** Returns a page of counters. */
  listCounters(filter: CounterFilter, page?: PageRequest): Promise<Page<CounterState>>;
  /** Returns a page of events, oldest first. */
  listEvents(filter: { space?: string; number?: string }, page?: PageRequest): Promise<Page<NumberingEvent>>;
  /** Streams the ledger as CSV (RFC 4180, header line, CRLF), reading it page by page. */
  exportCsv(filter: LedgerFilter): AsyncIterable<string>;
  /** Returns how many counters of this process rose since Redis last confirmed their marks; 0 without Redis. */
  waitingMarkCount(): number;
  /** Looks for holes, regressions, void numbers without a reason, numbers without a document, formats nearly full. */
  reconcile(request?: ReconcileRequest): Promise<Finding[]>;

  /** Rejects new requests, waits for pending ones, and releases the locks. Can be called twice. */
  close(): Promise<void>;
}

/** The lookup of one code in the app's master data. */
export interface CodeQuery {
  readonly space: string;
  /** Token that prints it: `PROJECT`, `TYPE`, `ORG`, `RECIPIENT`, `DISCIPLINE`, … */
  readonly token: string;
  /** The value in the request. */
  readonly reference: string;
}

/**
 * The app's master data. `find` returns the code to print (and to count by), or `undefined` if there is none: the
 * request then fails with UNKNOWN_CODE before a number is taken. It is called for every request, so it should cache.
 */
export interface CodeDirectory {
  /** Returns the code to print, or `undefined` if there is none. */
  find(query: CodeQuery): string | undefined | Promise<string | undefined>;
}

/** A custom token, usable as a dimension or a field. */
export interface TokenDefinition {
  /** Upper case letters, digits and `_`, starting with a letter. */
  readonly name: string;
  /** Characters that its codes can contain besides letters, marks, digits, `.` and `_`. Default: none. */
  readonly extraCharacters?: string;
  /** Longest code, 1 to 50. Default 20. */
  readonly lengthMax?: number;
}

/** The stores, the app's rules, and the limits of every call. */
export interface NumberingOptions {
  /** `pg.Pool`, `postgres()`, `new PGlite()`, or the instance of TypeORM, Drizzle, Knex or Sequelize. */
  readonly database: SqlDatabase;
  /** Most connections of the pool in use at a time, from 1: as many as the pool can spare. Default 10, as in `pg`. */
  readonly connectionMax?: number;
  /**
   * A connection from `connectRedis`, preferably of purpose `decision`. You close it yourself, after `close()`. Redis
   * remembers the last number of each counter, and keeps other processes away from a crowded one. Without it,
   * PostgreSQL alone serializes callers; numbers are just as safe, but commits lost in a failover go undetected.
   */
  readonly redis?: RedisCalls;
  /**
   * When a counter's Redis lock is acquired before its row lock: `crowd`, for two seconds after a wait for the row
   * timed out; `always`, for every commit, backed by the version check; `never`. Default `crowd`.
   */
  readonly lock?: 'crowd' | 'always' | 'never';
  /** Default: the codes of a request are printed as given. */
  readonly codes?: CodeDirectory;
  readonly tokens?: readonly TokenDefinition[];
  readonly observer?: NumberingObserver;
  /** Milliseconds since 1970, for business dates and waits. Default `Date.now`. */
  readonly now?: () => number;
  /** Between 0 and 1, for retry jitter. Default `Math.random`. */
  readonly random?: () => number;
  /** Lifetime of a Redis lock. 100 to 60,000. Default 3,000. */
  readonly lockTtlMs?: number;
  /** How long a counter waits for its busy Redis lock before it continues without it. 0 to 1,000. Default 100. */
  readonly lockWaitMs?: number;
  /** Most numbers in one commit. 1 to 10,000. Default 2,000. */
  readonly batchMax?: number;
  /** How long one call of a writer can run before its transaction is abandoned. Default 5,000. */
  readonly writerTimeoutMs?: number;
  /**
   * Time limit for a call with all waits and retries, whatever the stores do. The call then fails with BUSY,
   * STORE_UNAVAILABLE or OUTCOME_UNKNOWN. `importNumbers`, `skipTo`, `reconcile` and `verifyChain` have their own
   * `timeoutMs`. 1 to 3,600,000. Default 10,000.
   */
  readonly requestTimeoutMs?: number;
  /** Use named prepared statements; disabled automatically if a pooler turns out to lose them. Default `true`. */
  readonly namedStatements?: boolean;
}
