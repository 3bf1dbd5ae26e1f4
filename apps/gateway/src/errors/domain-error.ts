import type {
  AmbiguousFormatError,
  BusyError,
  CounterRegressionError,
  DateOrderError,
  DuplicateError,
  ExhaustedError,
  InvalidFormatError,
  InvalidRequestError,
  KeyReusedError,
  NoFormatError,
  NumberingClosedError,
  NumberingErrorCode,
  NumberNotFoundError,
  NumberStateError,
  OutcomeUnknownError,
  PeriodClosedError,
  SeriesInUseError,
  StoreUnavailableError,
  UnknownCodeError,
  UnknownSeriesError,
  UnknownTokenError,
} from '@solegate/doc-numbering';
import type { RedisFailure, RedisFailureCode } from '@solegate/redis-infra';
import type {
  InvalidTripInputError,
  TripBusyError,
  TripConflictError,
  TripErrorCode,
  TripNotFoundError,
  TripOutcomeUnknownError,
  TripReservationClosedError,
  TripStoreMisconfiguredError,
  TripStoreRefusedError,
  TripStoreUnavailableError,
} from '@solegate/trip-reservation';
import type { TsidErrorCode } from '@solegate/tsid-core';
import type { NodeLeaseErrorCode } from '@solegate/tsid-core/node-lease';

/** Errors whose facts the public text uses; every other code has a plain error. */
type ErrorWithFacts =
  | AmbiguousFormatError
  | BusyError
  | CounterRegressionError
  | DateOrderError
  | DuplicateError
  | ExhaustedError
  | InvalidFormatError
  | InvalidRequestError
  | KeyReusedError
  | NoFormatError
  | NumberingClosedError
  | NumberNotFoundError
  | NumberStateError
  | OutcomeUnknownError
  | PeriodClosedError
  | SeriesInUseError
  | StoreUnavailableError
  | UnknownCodeError
  | UnknownSeriesError
  | UnknownTokenError
  | InvalidTripInputError
  | TripBusyError
  | TripConflictError
  | TripNotFoundError
  | TripOutcomeUnknownError
  | TripReservationClosedError
  | TripStoreMisconfiguredError
  | TripStoreRefusedError
  | TripStoreUnavailableError
  | RedisFailure;

/** Every code that a package can throw. The build fails until the error table has a row for each. */
export type DomainErrorCode =
  | NumberingErrorCode
  | TripErrorCode
  | TsidErrorCode
  | NodeLeaseErrorCode
  | RedisFailureCode;

/** The error class for a code, with its facts. */
export type DomainErrorOf<Code extends DomainErrorCode> = [Extract<ErrorWithFacts, { code: Code }>] extends [
  never,
]
  ? Error & { readonly code: Code }
  : Extract<ErrorWithFacts, { code: Code }>;
