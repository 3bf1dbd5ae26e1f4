export type {
  Migration,
  MigrationReport,
  PooledSession,
  SqlPool,
  SqlResult,
  SqlSession,
  SqlStatement,
} from '@solegate/postgres-infra';
export { createNumbering } from './create-numbering.js';
export type {
  DocumentFormat,
  Overflow,
  ParsedNumber,
  SaveFormatRequest,
} from './document-format.js';
export type { Finding, ReconcileRequest } from './finding.js';
export { AmbiguousFormatError, InvalidFormatError, UnknownTokenError } from './format-error.js';
export type {
  Guard,
  IssuedNumber,
  IssueRequest,
  NumberPreview,
  NumberStatus,
  Reservation,
  ReserveRequest,
  SeriesAddress,
} from './issue-request.js';
export type {
  CounterFilter,
  CounterState,
  LedgerEntry,
  LedgerFilter,
  NumberingEvent,
  Page,
  PageRequest,
} from './ledger-entry.js';
export { migrateNumbering, migrations } from './migrations.js';
export type { ImportedNumber, ImportProblem, ImportReport, ImportRequest } from './number-import.js';
export type { AssignRequest, ReplaceRequest, SkipRequest, VoidedNumber, VoidRequest } from './number-life.js';
export type { NumberWriter, WriteDocuments, WriterItem } from './number-writer.js';
export type { Numbering } from './numbering.js';
export {
  CounterRegressionError,
  DateOrderError,
  DuplicateError,
  ExhaustedError,
  InvalidRequestError,
  KeyReusedError,
  NoFormatError,
  NumberingError,
  type NumberingErrorCode,
  NumberNotFoundError,
  NumberStateError,
  PeriodClosedError,
  SeriesInUseError,
  UnknownCodeError,
  UnknownSeriesError,
} from './numbering-error.js';
export type {
  CodeDirectory,
  CodeQuery,
  NumberingEvents,
  NumberingOptions,
  TokenDefinition,
} from './numbering-options.js';
export type { CancelRequest, ConfirmRequest } from './reservations.js';
export type { Reset, Series, SeriesDefinition, SeriesDimension } from './series.js';
export {
  BusyError,
  NumberingClosedError,
  OutcomeUnknownError,
  StoreMisconfiguredError,
  StoreRefusedError,
  StoreUnavailableError,
} from './store-error.js';
