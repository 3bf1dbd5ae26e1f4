import type { PostgresFailure } from '@solegate/postgres-infra';
import { DuplicateError, type NumberingError } from '../contract/numbering-error.js';
import {
  BusyError,
  OutcomeUnknownError,
  StoreMisconfiguredError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../contract/store-error.js';

/**
 * What callers see of PostgreSQL:
 *
 * | kind of failure | error | retryable |
 * |---|---|---|
 * | `UNAVAILABLE` | STORE_UNAVAILABLE | yes: surely nothing was taken |
 * | `UNKNOWN` | OUTCOME_UNKNOWN | yes, with the same key |
 * | `BUSY` | BUSY | yes |
 * | `CONFLICT` with another transaction (40001, 40P01) | BUSY | yes; a transaction of the caller has ended |
 * | `CONFLICT` of a number or an id | DUPLICATE | no |
 * | `MISCONFIGURED` | STORE_MISCONFIGURED, with advice | no |
 * | `REFUSED`, and any other `CONFLICT` | STORE_REFUSED | no |
 *
 * @param what names the number or id that is a duplicate
 */
export function numberingError(failure: PostgresFailure, what: DuplicateFacts = {}): NumberingError {
  switch (failure.kind) {
    case 'UNAVAILABLE':
      return new StoreUnavailableError({ cause: failure });
    case 'UNKNOWN':
      return new OutcomeUnknownError({ cause: failure });
    case 'BUSY':
      return new BusyError({ cause: failure });
    case 'MISCONFIGURED':
      return new StoreMisconfiguredError(failure.message, { cause: failure });
    case 'CONFLICT':
      return conflictError(failure, what);
    case 'REFUSED':
      return new StoreRefusedError(failure.sqlState, { cause: failure });
  }
}

export interface DuplicateFacts {
  readonly number?: string;
  readonly id?: string | undefined;
}

/** Unique keys that are met only by who does not see what another transaction has just committed. */
const SEEN_LATE = new Set<string | undefined>([
  undefined,
  'document_numbers_pkey',
  'document_numbers_key_key',
  'document_numbers_batch_key',
  'document_number_counters_scope_key',
]);

function conflictError(failure: PostgresFailure, { number, id }: DuplicateFacts): NumberingError {
  const { constraint } = failure;
  if (SEEN_LATE.has(constraint)) return new BusyError({ cause: failure });
  switch (constraint) {
    case 'document_numbers_number_key':
      return new DuplicateError(number ?? 'the number', { cause: failure });
    case 'document_numbers_id_key':
      return new DuplicateError(id === undefined ? 'the id' : `id ${id}`, { cause: failure });
    default:
      return new StoreRefusedError(failure.sqlState, { cause: failure });
  }
}
