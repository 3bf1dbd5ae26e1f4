export type {
  Migration,
  MigrationReport,
  PooledSession,
  SqlDatabase,
  SqlPool,
  SqlResult,
  SqlSession,
  SqlStatement,
  SqlTransaction,
  TransactionSession,
} from '@solegate/postgres-infra';
export { NumberingError } from './contract/any-error.js';
export type { FactReading, FeedRequest, NumberFact, NumberFactKind, NumberFeed } from './contract/feed.js';
export { FeedRewoundError, FeedTooWideError } from './contract/feed-error.js';
export type { Guard, LedgerEntry, NumberStatus } from './contract/ledger-columns.js';
export type {
  CounterFilter,
  CounterState,
  Finding,
  FoundNumbers,
  LedgerFilter,
  NumberingEvent,
  NumberingEventType,
  NumberSearch,
  Page,
  PageRequest,
  ReconcileRequest,
} from './contract/ledger-entry.js';
export type {
  CodeDirectory,
  CodeQuery,
  Numbering,
  NumberingOptions,
  TokenDefinition,
} from './contract/numbering.js';
export {
  BusyError,
  CodesSilentError,
  CounterRegressionError,
  DateOrderError,
  DuplicateError,
  ExhaustedError,
  InvalidRequestError,
  KeyReusedError,
  NumberingClosedError,
  type NumberingErrorCode,
  NumberNotFoundError,
  NumberStateError,
  OutcomeUnknownError,
  PeriodClosedError,
  RedisSilentError,
  SealRefusedError,
  StoreMisconfiguredError,
  StoreRefusedError,
  StoreUnavailableError,
} from './contract/numbering-error.js';
export type { NumberingObserver } from './contract/observer.js';
export type {
  AssignRequest,
  CancelRequest,
  ConfirmedNumber,
  ConfirmRequest,
  ImportedNumber,
  ImportProblem,
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
  SeriesAddress,
  SkipRequest,
  UnsealedItem,
  VoidedNumber,
  VoidRequest,
  WriteDocuments,
  WriterItem,
} from './contract/requests.js';
export type {
  ChainBreak,
  ChainReading,
  ChainReport,
  ChainRules,
  ChainScope,
  NumberSeal,
  RecomputeSeals,
  SealedNumber,
  VerifyChainRequest,
  WriterOptions,
} from './contract/seals.js';
export type {
  DefaultFormatRequest,
  DocumentFormat,
  Overflow,
  ParsedNumber,
  Reset,
  SaveFormatRequest,
  Series,
  SeriesDefinition,
  SeriesDimension,
  WithdrawFormatRequest,
} from './contract/series.js';
export {
  AmbiguousFormatError,
  FormatInUseError,
  InvalidFormatError,
  NoFormatError,
  SeriesBlockedError,
  SeriesChangedError,
  SeriesInUseError,
  UnknownCodeError,
  UnknownSeriesError,
  UnknownTokenError,
} from './contract/series-error.js';
export { createNumbering } from './create-numbering.js';
export { periodOf } from './format/period.js';
export {
  migrateNumbering,
  migrations,
  type NumberingMigrateOptions,
  numberingGrants,
} from './sql/migrations.js';
