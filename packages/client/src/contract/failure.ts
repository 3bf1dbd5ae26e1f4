import type { GraphqlResult } from './operation.js';

/** Why one attempt failed. */
export interface Failure {
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  /** False if the response did not come from the gateway. */
  readonly isAnswered: boolean;
  /** Whether it is certain that this attempt changed nothing. */
  readonly isHarmless: boolean;
  /** Whether another attempt can succeed without human intervention. */
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly incidentId?: string | undefined;
  readonly after?: string | undefined;
  readonly data?: unknown;
  readonly cause?: unknown;
}

const NO_ANSWER = {
  code: 'OUTCOME_UNKNOWN',
  message: 'No response from the gateway',
  isAnswered: false,
  isHarmless: false,
  retryable: true,
} as const;

/** Node's codes for a connection that was never established: nothing was sent. Browsers do not expose this. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** The failure of a `fetch`, or of reading its response. */
export function brokenOff(cause: unknown, reason = 'NO_ANSWER'): Failure {
  const inner = (cause as { cause?: { code?: unknown } } | undefined)?.cause;
  return { ...NO_ANSWER, reason, cause, isHarmless: NOT_SENT.has(inner?.code) };
}

/** The caller's token or headers function failed, so nothing was sent. */
export function noToken(cause: unknown): Failure {
  const message = 'The function for token or headers failed';
  const facts = { code: 'UNAUTHENTICATED', reason: NO_TOKEN, message, cause };
  return { ...facts, isAnswered: true, isHarmless: true, retryable: false };
}

export const NO_TOKEN = 'NO_TOKEN';

const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMITED',
};

/** The failure of a response that is not GraphQL: it came from something between this client and the gateway. */
export function notGraphql(status: number, retryAfterMs: number | undefined): Failure {
  const message = `Something other than the gateway responded with HTTP ${status}`;
  const reason = `HTTP_${status}`;
  if (status < 400 || status >= 500) return { ...NO_ANSWER, message, reason, retryAfterMs };
  const code = CODE_OF_STATUS[status] ?? 'BAD_USER_INPUT';
  return {
    code,
    reason,
    message,
    isAnswered: true,
    isHarmless: true,
    retryable: status === 408 || status === 429,
    retryAfterMs,
  };
}

/** The failure described by the first error of a response; undefined if there is none. */
export function failureOf({ data, errors = [] }: GraphqlResult, retryAfterMs?: number): Failure | undefined {
  const [first] = errors;
  if (first === undefined) return undefined;
  const { extensions = {}, message } = first;
  const code = textOf(extensions.code) ?? 'INTERNAL_SERVER_ERROR';
  const hasData = Object.values(data ?? {}).some((field) => field !== null);
  const isBroken = code === 'OUTCOME_UNKNOWN' || code === 'INTERNAL_SERVER_ERROR';
  return {
    code,
    message,
    reason: textOf(extensions.reason) ?? code,
    isAnswered: true,
    isHarmless: !isBroken && !hasData,
    retryable: extensions.retryable === true,
    retryAfterMs: typeof extensions.retryAfterMs === 'number' ? extensions.retryAfterMs : retryAfterMs,
    incidentId: textOf(extensions.incidentId),
    after: textOf(extensions.after),
    ...(hasData && { data }),
  };
}

/** Milliseconds from a Retry-After header, which holds seconds or a date. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
