import type { SqlSession } from '@solegate/postgres-infra';
import type {
  IssuedNumber,
  IssueRequest,
  NumberPreview,
  NumberWriter,
  Reservation,
  ReserveRequest,
  SeriesAddress,
  WriteDocuments,
} from './issue-request.js';
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
  ImportReport,
  ImportRequest,
  ReplaceRequest,
  SkipRequest,
  VoidedNumber,
  VoidRequest,
} from './number-life.js';
import type {
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
  /**
   * Next number inside the caller's transaction: it rolls back with it. Make it the last statement: the counter
   * stays locked until the commit.
   */
  issueIn(session: SqlSession, request: IssueRequest): Promise<IssuedNumber>;
  /**
   * The same for several counters, such as an invoice and its receipt: they are locked in one fixed order, so that
   * transactions that draw them all by one call never deadlock. 1 to 100 requests, answered in their order.
   */
  issueAllIn(session: SqlSession, requests: readonly IssueRequest[]): Promise<IssuedNumber[]>;
  /**
   * Names a function that stores documents in the same commit as their numbers.
   * `writer.issue(request, document)` then gives document and number together or neither.
   */
  registerWriter<Document>(name: string, write: WriteDocuments<Document>): NumberWriter<Document>;

  /** Holds the next number. Unconfirmed, it ends as a `cancelled` ledger row, never as a hole. */
  reserve(request: ReserveRequest): Promise<Reservation>;
  confirm(request: ConfirmRequest): Promise<LedgerEntry>;
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
  /**
   * Takes a counter as it stands after a restore on purpose, below numbers that were issued once. They may be issued again:
   * first make sure that nobody relies on them. Kept as an event.
   */
  acceptRegression(request: AcceptRegressionRequest): Promise<AcceptedRegression>;
  /** Takes over numbers of another system: all or nothing; counters only rise. */
  importNumbers(request: ImportRequest): Promise<ImportReport>;

  preview(address: SeriesAddress & { fields?: Readonly<Record<string, string>> }): Promise<NumberPreview>;
  /** Reads a number back into its parts; `undefined` when no format of the series could have printed it. */
  parse(request: { space: string; series: string; number: string }): Promise<ParsedNumber | undefined>;

  /** Creates the series, or changes what may change. Repeating it with the same rules does nothing. */
  defineSeries(definition: SeriesDefinition): Promise<Series>;
  listSeries(filter?: { space?: string }): Promise<Series[]>;
  /** Checks the template and saves it as the next version. The same template as the newest version's is no new version. */
  saveFormat(request: SaveFormatRequest): Promise<DocumentFormat>;
  /** Takes a version back by which no number was printed, so that its texts are free for another. */
  withdrawFormat(request: WithdrawFormatRequest): Promise<void>;
  listFormats(filter?: { space?: string; series?: string }): Promise<DocumentFormat[]>;

  findNumber(
    query: { space: string; number: string } | { id: bigint | string },
  ): Promise<LedgerEntry | undefined>;
  /** For DataLoaders: entries in the order of `ids`, `undefined` where there is none. */
  findNumbersById(ids: readonly (bigint | string)[]): Promise<(LedgerEntry | undefined)[]>;
  listNumbers(filter: LedgerFilter, page?: PageRequest): Promise<Page<LedgerEntry>>;
  listCounters(filter: CounterFilter, page?: PageRequest): Promise<Page<CounterState>>;
  listEvents(filter: { space?: string; number?: string }, page?: PageRequest): Promise<Page<NumberingEvent>>;
  /** The ledger as CSV (RFC 4180, header line, CRLF), read page by page. */
  exportCsv(filter: LedgerFilter): AsyncIterable<string>;
  /** Looks for holes, regressions, ended reservations, numbers without a document, formats that run full. */
  reconcile(request?: ReconcileRequest): Promise<Finding[]>;

  /** Refuses new requests, waits for those under way, gives the locks back. May be called twice. */
  close(): Promise<void>;
}
