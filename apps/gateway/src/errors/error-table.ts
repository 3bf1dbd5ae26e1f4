import type { DomainErrorCode, DomainErrorOf } from './domain-error.js';
import type { PublicCode } from './public-code.js';

/** How a domain error is reported to clients. The text states what to do and never repeats what the client sent. */
export interface ErrorRow<Code extends DomainErrorCode> {
  readonly code: PublicCode;
  readonly text: string | ((error: DomainErrorOf<Code>) => string);
  /** Whether the same request might succeed later. Default false. */
  readonly retryable?: true;
  readonly retryAfterMs?: number;
  /** Cursor with which to subscribe again. */
  readonly after?: (error: DomainErrorOf<Code>) => string | undefined;
}

type Answer = Omit<ErrorRow<never>, 'text' | 'after'>;

/** Returns a function that makes rows from their texts. */
function rowsOf(answer: Answer) {
  return <Code extends DomainErrorCode>(
    text: ErrorRow<Code>['text'],
    after?: ErrorRow<Code>['after'],
  ): ErrorRow<Code> => ({ ...answer, text, ...(after && { after }) });
}

const input = rowsOf({ code: 'BAD_USER_INPUT' });
const missing = rowsOf({ code: 'NOT_FOUND' });
const precondition = rowsOf({ code: 'FAILED_PRECONDITION' });
const away = rowsOf({ code: 'SERVICE_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 });
const contended = rowsOf({ code: 'CONTENTION', retryable: true, retryAfterMs: 200 });
const unknown = rowsOf({ code: 'OUTCOME_UNKNOWN', retryable: true, retryAfterMs: 500 });
const broken = { code: 'INTERNAL_SERVER_ERROR', text: '' } as const;

const CLOSED = 'This gateway is shutting down. Nothing was done; retry on another gateway.';
const NO_NODE =
  'This gateway has no node ID at the moment and cannot mint IDs. Nothing was done; try again. Where IDs must outlive ' +
  'Redis, an operator sets NODE_STORE=postgres.';

/** One row for each code of the packages; a missing row is a compile error. */
export const ERROR_TABLE: { readonly [Code in DomainErrorCode]: ErrorRow<Code> } = {
  // Document numbers and trips
  INVALID_REQUEST: input(inApiWords),
  BUSY: contended('Other requests are changing the same series or trip. Nothing was done; try again.'),
  STORE_UNAVAILABLE: away('The database cannot be reached. Nothing was done; try again.'),
  OUTCOME_UNKNOWN: unknown(
    'The outcome is unknown. Repeat the same request, with the same idempotency key if it has one: the response ' +
      'reports what happened, and nothing is done twice.',
  ),
  STORE_REFUSED: broken,
  STORE_MISCONFIGURED: broken,

  // Document numbers: input
  INVALID_FORMAT: input(
    (error) => `The template is invalid at position ${error.position}: ${problemOf(error, error.template)}`,
  ),
  UNKNOWN_TOKEN: input(
    ({ position, validTokens }) =>
      `The template has an unknown token at position ${position}. Valid tokens: ${validTokens.join(', ')}.`,
  ),
  AMBIGUOUS_FORMAT: input(
    ({ first, second }) =>
      `${first} and ${second} could print the same number; show every dimension and the period, with separators.`,
  ),
  UNKNOWN_CODE: input(({ token, reference }) =>
    reference === undefined
      ? `This series needs a ${token} code and the request has none; give it in ${inputOf(token)}.`
      : `This ${token} code does not exist; create it first or correct it.`,
  ),
  DATE_ORDER: input(
    ({ lastDate }) => `A number dated ${lastDate} was already issued; use that date or a later one.`,
  ),
  KEY_REUSED: input(
    'This idempotency key was used for a different request, or by someone else; use a new key for a new request.',
  ),

  // Document numbers: state
  UNKNOWN_SERIES: missing(
    'This project has no numbering for this document type; save a format for it with saveDocumentNumberFormat.',
  ),
  NO_FORMAT: missing(({ date }) => `No format is valid on ${date}; save one with saveDocumentNumberFormat.`),
  NUMBER_NOT_FOUND: missing('The ledger has no such number or reservation; check project and number.'),
  SERIES_BLOCKED: precondition('This series is blocked; ask an administrator which one to use.'),
  FORMAT_IN_USE: precondition('This format has already been used for numbers; save a new version instead.'),
  SERIES_IN_USE: precondition(
    ({ rules }) => `Numbers have already been issued, so ${rules.join(', ')} can no longer change.`,
  ),
  SERIES_CHANGED: precondition(
    'This series was changed in the meantime; read it again and repeat your change.',
  ),
  EXHAUSTED: precondition(
    ({ limit }) =>
      `The last number of this format, ${limit}, has been issued; save a format with more digits.`,
  ),
  PERIOD_CLOSED: precondition(
    ({ period }) => `Period ${period} is not open; use a date in an open period, or have it opened.`,
  ),
  DUPLICATE: precondition('This number is already in the ledger; choose another one.'),
  NUMBER_STATE: precondition(({ status, step }) => `The number is ${status} and cannot be ${step}.`),
  COUNTER_REGRESSION: precondition(
    ({ lastNumber, highWaterMark }) =>
      `The counter is at ${lastNumber}, but ${highWaterMark} was issued (after a failover or a restored backup). ` +
      'No numbers are issued until an administrator imports the missing numbers or accepts the regression.',
  ),

  FEED_TOO_WIDE: precondition(
    ({ narrowBy }) =>
      `These are more counters than one subscription can follow; narrow it by ${narrowBy.map(factsInputOf).join(' or ')}.`,
  ),
  FEED_REWOUND: precondition(
    'The database was restored: facts that you have read are gone. Forget those after the cursor `after`, and subscribe again with it.',
    ({ after }) => after,
  ),

  // Document numbers: stores
  CODES_SILENT: away('The master data did not respond; repeat the request.'),
  REDIS_SILENT: away('Redis did not respond; repeat the request.'),
  SEAL_REFUSED: broken,
  NUMBERING_CLOSED: away(CLOSED),

  // Trips
  TRIP_NOT_FOUND: missing('There is no such trip; check its ID.'),
  TRIP_CONFLICT: precondition(
    'This idempotency key was used for a different trip request; use a new key for a new trip.',
  ),
  TRIP_RESERVATION_CLOSED: away(CLOSED),
  TRIP_FEED_BROKEN: precondition(
    ({ why }) =>
      why === 'RESTORED'
        ? 'The database was restored: events that you have read are gone. Forget those after the cursor `after`, and subscribe again with it.'
        : 'Events that you have not read were deleted with old trips; read the current trips, and subscribe again without `after`.',
    ({ after }) => after,
  ),
  DRIVER_POOL_UNAVAILABLE: away(
    'Driver positions cannot be stored at the moment; report the position again.',
  ),

  // IDs
  MALFORMED_TSID: input('An ID is a TSID: 1 to 20 decimal digits in a string, at most 18446744073709551615.'),
  TSID_OUT_OF_RANGE: input('The number does not fit in a TSID.'),
  NODE_UNAVAILABLE: away(NO_NODE),
  CLOCK_MOVED_BACKWARDS: away("This gateway's clock moved backwards; retry on another gateway."),
  CLOCK_STALLED: away("This gateway's clock has stopped; retry on another gateway."),
  HORIZON_PASSED: precondition('The ID layout has reached its last date; define one with a later epoch.'),
  NODE_LEASE_UNAVAILABLE: away(NO_NODE),
  NODE_LEASE_QUARANTINED: away(NO_NODE),
  NODES_EXHAUSTED: away(NO_NODE),
  CLOCK_DIFFERENCE: away(NO_NODE),

  // Redis, where an operation depends on Redis alone
  REDIS_UNAVAILABLE: away('Redis cannot be reached. Nothing was done; try again.'),
  REDIS_OUTCOME_UNKNOWN: unknown('Redis did not respond in time; repeat the request.'),

  // Faults of this program: masked, with an incident ID
  REDIS_SCRIPT: broken,
  NODE_IN_USE: broken,
  INVALID_LAYOUT: broken,
  INVALID_GENERATOR_OPTIONS: broken,
  TSID_KEY_MISSING: broken,
  INVALID_LEASE_OPTIONS: broken,
  LEASE_PIN_MISMATCH: broken,
  DEVELOPMENT_NODE_REFUSED: broken,
};

/** API names of package fields. */
const API_FIELDS: Readonly<Record<string, string>> = {
  epoch: 'offerEpoch',
  key: 'idempotencyKey',
  'replacement.space': 'replacement.projectCode',
  series: 'typeCode',
  space: 'projectCode',
};

/** Where a request gives the code of a token. */
function inputOf(token: string): string {
  if (token === 'ORG') return 'organizationCode';
  if (token === 'DISCIPLINE') return 'disciplineCode';
  if (token === 'AUTHORITY') return 'authorityCode of the series';
  return token === 'RECIPIENT' ? 'recipientCode' : 'fields';
}

/** Which argument of a subscription narrows it. */
function factsInputOf(name: string): string {
  if (name === 'period') return name;
  return name === 'ORG' || name === 'DISCIPLINE' ? inputOf(name) : 'dimensions';
}

/** Describes the fault with the API's field names. */
function inApiWords({ field, message }: { readonly field: string; readonly message: string }): string {
  return message
    .replace(field, API_FIELDS[field] ?? field)
    .replace('a bigint from', 'a TSID from')
    .replace(', such as a TSID', '');
}

/** Returns the problem from a template error's message, without the template that the client sent. */
function problemOf(error: Error, template: string): string {
  const message = error.message.replace(`"${template}"`, '');
  return message.slice(message.indexOf(': ') + 2);
}
