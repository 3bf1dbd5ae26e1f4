import type * as numbering from '@solegate/doc-numbering';
import type { RedisFailure, RedisFailureCode } from '@solegate/redis-infra';
import type * as trips from '@solegate/trip-reservation';
import type { TsidErrorCode } from '@solegate/tsid-core';
import type { NodeLeaseErrorCode } from '@solegate/tsid-core/node-lease';

type ErrorsOf<Module> = {
  [Name in keyof Module]: Module[Name] extends abstract new (
    ...args: never[]
  ) => infer Thrown
    ? Thrown
    : never;
}[keyof Module];

/** Errors whose facts the public text uses; every other code has a plain error. */
type ErrorWithFacts = ErrorsOf<typeof numbering> | ErrorsOf<typeof trips> | RedisFailure;

/** Every code that a package can throw. The build fails until the error table has a row for each. */
export type DomainErrorCode =
  | numbering.NumberingErrorCode
  | trips.TripErrorCode
  | TsidErrorCode
  | NodeLeaseErrorCode
  | RedisFailureCode;

/** The error class for a code, with its facts. */
export type DomainErrorOf<Code extends DomainErrorCode> = [Extract<ErrorWithFacts, { code: Code }>] extends [
  never,
]
  ? Error & { readonly code: Code }
  : Extract<ErrorWithFacts, { code: Code }>;
