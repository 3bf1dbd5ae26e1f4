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

/** Codes whose error carries facts that the public text uses; every other code comes as a plain error. */
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

/** Every code that a package can throw. A new one makes the error table incomplete, and the build fails. */
export type DomainErrorCode =
  | NumberingErrorCode
  | TripErrorCode
  | TsidErrorCode
  | NodeLeaseErrorCode
  | RedisFailureCode;

/** The error that carries a code, with its facts. */
export type DomainErrorOf<Code extends DomainErrorCode> = [Extract<ErrorWithFacts, { code: Code }>] extends [
  never,
]
  ? Error & { readonly code: Code }
  : Extract<ErrorWithFacts, { code: Code }>;
