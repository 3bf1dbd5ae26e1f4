import type { DomainErrorCode, DomainErrorOf } from './domain-error.js';
import type { PublicCode } from './public-code.js';

/** How one domain error is reported to a client. The text says what to do and repeats nothing that the client sent. */
export interface ErrorRow<Code extends DomainErrorCode> {
  readonly code: PublicCode;
  readonly text: string | ((error: DomainErrorOf<Code>) => string);
  /** Whether the same request may succeed later. Default false. */
  readonly retryable?: true;
  readonly retryAfterMs?: number;
}

const input = { code: 'BAD_USER_INPUT' } as const;
const missing = { code: 'NOT_FOUND' } as const;
const precondition = { code: 'FAILED_PRECONDITION' } as const;
const broken = { code: 'INTERNAL_SERVER_ERROR', text: '' } as const;
const away = { code: 'SERVICE_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 } as const;
const contended = { code: 'CONTENTION', retryable: true, retryAfterMs: 200 } as const;
const unknown = { code: 'OUTCOME_UNKNOWN', retryable: true, retryAfterMs: 500 } as const;

const REPEAT_WITH_KEY =
  'It is not known whether this was done. Repeat the same request with the same idempotency key.';
const NO_NODE = 'This gateway has no node ID at the moment, so it makes no IDs; another gateway can answer.';

/** One row for each code of the packages: the compiler refuses a code without a row. */
export const ERROR_TABLE: { readonly [Code in DomainErrorCode]: ErrorRow<Code> } = {
  // Document numbers: input
  INVALID_REQUEST: { ...input, text: inApiWords },
  INVALID_FORMAT: {
    ...input,
    text: (error) =>
      `The template is not valid at position ${error.position}: ${problemOf(error, error.template)}`,
  },
  UNKNOWN_TOKEN: {
    ...input,
    text: ({ position }) =>
      `The template has an unknown token at position ${position}. Known are ORG, TYPE, DISCIPLINE, PROJECT, ` +
      'RECIPIENT, SUB_TYPE, REVISION, AUTHORITY, YEAR, FISCAL_YEAR, FISCAL_START, FISCAL_END, QUARTER, MONTH, ' +
      'WEEK_YEAR, WEEK, DAY and SEQ:n.',
  },
  AMBIGUOUS_FORMAT: {
    ...input,
    text: ({ first, second }) =>
      `${first} and ${second} could print the same number; show every dimension and the period, apart from each other.`,
  },
  UNKNOWN_CODE: {
    ...input,
    text: ({ token }) => `There is no such ${token} code here; create it first or correct the code.`,
  },
  DATE_ORDER: {
    ...input,
    text: ({ lastDate }) => `A number dated ${lastDate} was issued before; give that date or a later one.`,
  },
  KEY_REUSED: {
    ...input,
    text: 'This idempotency key belongs to a request with other content; use a new key for a new request.',
  },

  // Document numbers: the state does not allow it
  UNKNOWN_SERIES: {
    ...missing,
    text: 'This project has no numbering for this document type; save a format for it with saveDocumentNumberFormat.',
  },
  NO_FORMAT: {
    ...missing,
    text: ({ date }) => `No format is valid on ${date}; save one with saveDocumentNumberFormat.`,
  },
  NUMBER_NOT_FOUND: {
    ...missing,
    text: 'The ledger has no such number or reservation; check project and number.',
  },
  SERIES_BLOCKED: {
    ...precondition,
    text: 'This series gives no numbers any more; ask an administrator which one does.',
  },
  FORMAT_IN_USE: {
    ...precondition,
    text: 'Numbers were printed by this format; save a new version instead.',
  },
  SERIES_IN_USE: {
    ...precondition,
    text: ({ rules }) => `Numbers were issued already, so ${rules.join(', ')} cannot change any more.`,
  },
  SERIES_CHANGED: {
    ...precondition,
    text: 'Somebody else has changed this series meanwhile; read it again and repeat your change.',
  },
  EXHAUSTED: {
    ...precondition,
    text: ({ limit }) =>
      `The last number under this format, ${limit}, is issued; save a format with more digits.`,
  },
  PERIOD_CLOSED: {
    ...precondition,
    text: ({ period }) => `Period ${period} is not open; give a date in an open period, or have it opened.`,
  },
  DUPLICATE: { ...precondition, text: 'This number is in the ledger already; choose another one.' },
  NUMBER_STATE: {
    ...precondition,
    text: ({ status, step }) => `The number is ${status}; it cannot be ${step}.`,
  },
  COUNTER_REGRESSION: {
    ...precondition,
    text: ({ lastNumber, highWaterMark }) =>
      `The counter stands at ${lastNumber} while ${highWaterMark} was issued (a fail-over or a restored backup). ` +
      'Nothing is issued until an administrator has imported the missing numbers or accepted the regression.',
  },

  // Document numbers: stores
  BUSY: { ...contended, text: 'Too many wait for this series. Nothing was taken; try again.' },
  STORE_UNAVAILABLE: { ...away, text: 'The database cannot be reached. Nothing was taken; try again.' },
  OUTCOME_UNKNOWN: { ...unknown, text: REPEAT_WITH_KEY },
  REDIS_SILENT: { ...away, text: 'Redis gave no answer; repeat the request.' },
  STORE_REFUSED: broken,
  STORE_MISCONFIGURED: broken,
  NUMBERING_CLOSED: {
    ...away,
    text: 'This gateway is stopping. Nothing was taken; another gateway can answer.',
  },

  // Trips
  INVALID_TRIP_INPUT: { ...input, text: inApiWords },
  TRIP_NOT_FOUND: { ...missing, text: 'There is no such trip; check its ID.' },
  TRIP_CONFLICT: {
    ...precondition,
    text: 'This idempotency key belongs to a different request of a trip; use a new key for a new trip.',
  },
  TRIP_BUSY: { ...contended, text: 'The trip is changing at this moment. Nothing was done; try again.' },
  TRIP_STORE_UNAVAILABLE: { ...away, text: 'The database cannot be reached. Nothing was done; try again.' },
  TRIP_OUTCOME_UNKNOWN: {
    ...unknown,
    text: 'It is not known whether this was done. Repeat the same request: its answer says so, and nothing is done twice.',
  },
  TRIP_STORE_MISCONFIGURED: broken,
  TRIP_STORE_REFUSED: broken,
  TRIP_RESERVATION_CLOSED: {
    ...away,
    text: 'This gateway is stopping. Nothing was done; another one can answer.',
  },
  DRIVER_POOL_UNAVAILABLE: {
    ...away,
    text: 'Positions of drivers cannot be kept at the moment; report it again.',
  },

  // IDs
  MALFORMED_TSID: {
    ...input,
    text: 'An ID is a TSID: 1 to 20 decimal digits in a string, at most 18446744073709551615.',
  },
  TSID_OUT_OF_RANGE: { ...input, text: 'The number does not fit into a TSID.' },
  NODE_UNAVAILABLE: { ...away, text: NO_NODE },
  CLOCK_MOVED_BACKWARDS: {
    ...away,
    text: "This gateway's clock moved backwards; another gateway can answer.",
  },
  CLOCK_STALLED: { ...away, text: "This gateway's clock stands still; another gateway can answer." },
  HORIZON_PASSED: {
    ...precondition,
    text: 'The ID layout has reached its last date; define one with a later epoch.',
  },
  NODE_LEASE_UNAVAILABLE: { ...away, text: NO_NODE },
  NODE_LEASE_QUARANTINED: { ...away, text: NO_NODE },
  NODES_EXHAUSTED: { ...away, text: NO_NODE },
  CLOCK_DIFFERENCE: { ...away, text: NO_NODE },

  // Redis, where it is asked for itself and not only beside PostgreSQL
  REDIS_UNAVAILABLE: { ...away, text: 'Redis cannot be reached. Nothing was done; try again.' },
  REDIS_OUTCOME_UNKNOWN: { ...unknown, text: 'Redis did not answer; repeat the request.' },

  // Faults of this program: masked, with an incident ID
  REDIS_SCRIPT: broken,
  NODE_IN_USE: broken,
  INVALID_LAYOUT: broken,
  INVALID_GENERATOR_OPTIONS: broken,
  INVALID_LEASE_OPTIONS: broken,
  LEASE_PIN_MISMATCH: broken,
  DEVELOPMENT_NODE_REFUSED: broken,
};

/** What the API calls a field of a package. */
const API_FIELDS: Readonly<Record<string, string>> = {
  dimensions: 'organizationCode and disciplineCode',
  epoch: 'offerEpoch',
  key: 'idempotencyKey',
  'replacement.space': 'replacement.projectCode',
  series: 'typeCode',
  space: 'projectCode',
};

/** What is wrong with a field, in the words of the API. */
function inApiWords({ field, message }: { readonly field: string; readonly message: string }): string {
  return message
    .replace(field, API_FIELDS[field] ?? field)
    .replace('a bigint from', 'a TSID from')
    .replace(', such as a TSID', '');
}

/** The part of a template error that names the problem, without the template that the client sent. */
function problemOf(error: Error, template: string): string {
  const message = error.message.replace(`"${template}"`, '');
  return message.slice(message.indexOf(': ') + 2);
}
