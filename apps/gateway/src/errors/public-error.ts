import { NumberingError } from '@solegate/doc-numbering';
import { postgresFailureIn } from '@solegate/postgres-infra';
import { RedisFailure } from '@solegate/redis-infra';
import { TripReservationError } from '@solegate/trip-reservation';
import { TsidError } from '@solegate/tsid-core';
import { NodeLeaseError } from '@solegate/tsid-core/node-lease';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { DomainErrorCode } from './domain-error.js';
import { ERROR_TABLE, type ErrorRow } from './error-table.js';
import { GatewayError } from './gateway-error.js';
import { wordsOf } from './graphql-words.js';
import type { IncidentLog } from './incident-log.js';
import type { PublicCode } from './public-code.js';

/** What a client sees of an error. */
export interface PublicError {
  readonly message: string;
  readonly code: PublicCode | string;
  readonly reason: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly incidentId?: string;
  /** Cursor with which to subscribe again. */
  readonly after?: string;
}

const DOMAIN_ERRORS = [NumberingError, TripReservationError, TsidError, NodeLeaseError, RedisFailure];

/**
 * Converts a thrown value to the error that a client sees: rejections by the gateway and by GraphQL unchanged, domain
 * errors according to the table, and everything else masked behind an incident ID.
 */
export function publicErrorOf(error: unknown, incidents: IncidentLog, requestId?: string): PublicError {
  const original = originOf(error);
  if (original instanceof GatewayError) {
    const { message, code, reason, retryable, retryAfterMs } = original;
    return { message, code, reason, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  const row = rowOf(original);
  if (row !== undefined && row.code !== 'INTERNAL_SERVER_ERROR') return ofRow(row, original as DomainError);
  if (error instanceof GraphQLError && original instanceof GraphQLError) {
    const code = error.extensions.code;
    const isRefusal = typeof code === 'string' && code !== 'INTERNAL_SERVER_ERROR';
    if (isRefusal) return { message: wordsOf(error), code, reason: code, retryable: false };
  }
  if (isMissingArgument(original)) return MISSING_ARGUMENT;
  const failure = postgresFailureIn(original)?.kind;
  if (failure === 'UNAVAILABLE' || failure === 'BUSY') return DATABASE_AWAY;
  if (failure === 'UNKNOWN') return OUTCOME_UNKNOWN;
  if (isSessionRefused(original)) {
    return { ...DATABASE_AWAY, incidentId: incidents.report(original, requestId) };
  }
  return {
    message: 'An unexpected error occurred; report the incident ID.',
    code: 'INTERNAL_SERVER_ERROR',
    reason: 'UNEXPECTED',
    retryable: false,
    incidentId: incidents.report(original, requestId),
  };
}

/** Returns the public text of a package's error; empty if the error is masked. */
export function domainTextOf(error: Error): string {
  const row = rowOf(error);
  return row === undefined ? '' : ofRow(row, error as DomainError).message;
}

/** Formats an error for a GraphQL response. */
export function formattedErrorOf(
  error: unknown,
  incidents: IncidentLog,
  place: Pick<GraphQLFormattedError, 'path' | 'locations'> = {},
  requestId?: string,
): GraphQLFormattedError {
  const { message, ...extensions } = publicErrorOf(error, incidents, requestId);
  return { message, ...place, extensions };
}

/** Whether a variable that may be null was used for an argument that may not; only execution can find this. */
function isMissingArgument(error: unknown): boolean {
  return error instanceof GraphQLError && /^Argument "\w+" of (?:required|non-null) type/.test(error.message);
}

/**
 * Whether there can be no session with PostgreSQL at present, such as while its password is being changed or its certificate
 * has expired. Nothing was sent, and the call can be served once that is mended.
 */
function isSessionRefused(error: unknown): boolean {
  const { kind, sqlState } = postgresFailureIn(error) ?? {};
  const isOfCertificate = sqlState === undefined;
  return kind === 'MISCONFIGURED' && (isOfCertificate || sqlState.startsWith('28'));
}

/** Unwraps an error: GraphQL wraps errors from resolvers, scalars and plugins, sometimes twice. */
function originOf(error: unknown): unknown {
  let origin = error;
  while (origin instanceof GraphQLError && origin.originalError !== undefined) origin = origin.originalError;
  return origin;
}

type DomainError = Error & { readonly code: DomainErrorCode };

const MISSING_ARGUMENT: PublicError = {
  message: 'An argument that needs a value got none; send its variable, or declare it with "!".',
  code: 'BAD_USER_INPUT',
  reason: 'VARIABLES',
  retryable: false,
};

const DATABASE_AWAY: PublicError = {
  message: 'The database cannot be reached at the moment; try again.',
  code: 'SERVICE_UNAVAILABLE',
  reason: 'STORE_UNAVAILABLE',
  retryable: true,
  retryAfterMs: 1_000,
};

const OUTCOME_UNKNOWN: PublicError = {
  message:
    'The database did not respond, so the change might be stored. Before you repeat it, look whether it is there.',
  code: 'OUTCOME_UNKNOWN',
  reason: 'OUTCOME_UNKNOWN',
  retryable: true,
  retryAfterMs: 500,
};

function rowOf(error: unknown): ErrorRow<DomainErrorCode> | undefined {
  if (!DOMAIN_ERRORS.some((domainError) => error instanceof domainError)) return undefined;
  return ERROR_TABLE[(error as DomainError).code] as ErrorRow<DomainErrorCode> | undefined;
}

function ofRow(row: ErrorRow<DomainErrorCode>, error: DomainError): PublicError {
  const text = row.text as string | ((error: DomainError) => string);
  const after = (row.after as ((error: DomainError) => string | undefined) | undefined)?.(error);
  return {
    message: typeof text === 'string' ? text : text(error),
    code: row.code,
    reason: error.code,
    retryable: row.retryable ?? false,
    ...(row.retryAfterMs !== undefined && { retryAfterMs: row.retryAfterMs }),
    ...(after !== undefined && { after }),
  };
}
