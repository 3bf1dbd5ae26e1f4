export type {
  Migration,
  MigrationReport,
  PooledSession,
  SqlPool,
  SqlResult,
  SqlSession,
  SqlStatement,
} from '@solegate/postgres-infra';
export { AmbiguousFormatError, InvalidFormatError, UnknownTokenError } from './contract/format-error.js';
export type {
  Guard,
  IssuedNumber,
  IssueRequest,
  NumberPreview,
  NumberStatus,
  NumberWriter,
  Reservation,
  ReserveRequest,
  SeriesAddress,
  WriteDocuments,
  WriterItem,
} from './contract/issue-request.js';
export type {
  CounterFilter,
  CounterState,
  Finding,
  LedgerEntry,
  LedgerFilter,
  NumberingEvent,
  Page,
  PageRequest,
  ReconcileRequest,
} from './contract/ledger-entry.js';
export type {
  AssignRequest,
  CancelRequest,
  ConfirmRequest,
  ImportedNumber,
  ImportProblem,
  ImportReport,
  ImportRequest,
  ReplaceRequest,
  SkipRequest,
  VoidedNumber,
  VoidRequest,
} from './contract/number-life.js';
export type { Numbering } from './contract/numbering.js';
export {
  CounterRegressionError,
  DateOrderError,
  DuplicateError,
  ExhaustedError,
  FormatInUseError,
  InvalidRequestError,
  KeyReusedError,
  NoFormatError,
  NumberingError,
  type NumberingErrorCode,
  NumberNotFoundError,
  NumberStateError,
  PeriodClosedError,
  SeriesBlockedError,
  SeriesInUseError,
  UnknownCodeError,
  UnknownSeriesError,
} from './contract/numbering-error.js';
export type {
  CodeDirectory,
  CodeQuery,
  NumberingEvents,
  NumberingOptions,
  TokenDefinition,
} from './contract/options.js';
export type {
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
  BusyError,
  NumberingClosedError,
  OutcomeUnknownError,
  RedisSilentError,
  StoreMisconfiguredError,
  StoreRefusedError,
  StoreUnavailableError,
} from './contract/store-error.js';
export { createNumbering } from './create-numbering.js';
export { migrateNumbering, migrations } from './sql/migrations.js';
