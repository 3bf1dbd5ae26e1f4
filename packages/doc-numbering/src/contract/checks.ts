import { createHash } from 'node:crypto';
import { refuseUnknownOptions } from '@solegate/postgres-infra';
import type { NumberingOptions } from './numbering.js';
import { InvalidRequestError } from './numbering-error.js';
import type { NumberingObserver } from './observer.js';
import type { IssueRequest } from './requests.js';

/** Control characters, tabs and line breaks included, and unpaired surrogates: not allowed in any field. */
const unprintable = /[\p{Cc}\p{Cs}]/u;

/** Checks the length of a request's text, and that it can be stored and printed. @throws InvalidRequestError */
export function checkText(field: string, value: unknown, lengthMax: number): string {
  if (typeof value !== 'string' || value.length === 0) {
    throw new InvalidRequestError(field, 'must be a non-empty string');
  }
  if (value.length > lengthMax)
    throw new InvalidRequestError(field, `is longer than ${lengthMax} characters`);
  if (unprintable.test(value)) throw new InvalidRequestError(field, 'contains a non-printable character');
  return value;
}

export function checkOptionalText(field: string, value: unknown, lengthMax: number): string | undefined {
  return value === undefined ? undefined : checkText(field, value, lengthMax);
}

/** Checks which series a request is about, and who makes it. @throws InvalidRequestError */
export function checkSeriesRequest({ space, series, actor }: Record<'space' | 'series' | 'actor', unknown>) {
  return {
    space: checkText('space', space, 100),
    series: checkText('series', series, 50),
    actor: checkText('actor', actor, 200),
  };
}

/** @throws InvalidRequestError */
export function checkOneOf<Value extends string>(
  field: string,
  value: unknown,
  allowed: readonly Value[],
): Value {
  const known = allowed.find((one) => one === value);
  if (known === undefined) throw new InvalidRequestError(field, `must be one of ${allowed.join(', ')}`);
  return known;
}

/** @throws InvalidRequestError */
export function checkWhole(field: string, value: unknown, range: readonly [number, number]): number {
  const [min, max] = range;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
    throw new InvalidRequestError(field, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** Codes by token name, which default to none. @throws InvalidRequestError */
export function checkCodes(field: string, codes: unknown = {}): Readonly<Record<string, unknown>> {
  if (typeof codes === 'object' && codes !== null) return codes as Readonly<Record<string, unknown>>;
  throw new InvalidRequestError(field, 'must be an object with codes by token name');
}

const ID_MAX = 2n ** 63n - 1n;

/** A 63-bit identifier as decimal text. @throws InvalidRequestError */
export function checkId(field: string, value: bigint | string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = String(value);
  if (!/^\d{1,19}$/.test(text) || BigInt(text) < 1n || BigInt(text) > ID_MAX) {
    throw new InvalidRequestError(field, `"${text}" is not a positive 63-bit number`);
  }
  return text;
}

/** The checked facts that a request stores with its number. */
export interface IssueFacts {
  readonly actor: string;
  readonly document: string | undefined;
  readonly reason: string | undefined;
  readonly id: string | undefined;
  readonly key: string | undefined;
  /** Digest of the request's content and actor; detects a different request with the same key. */
  readonly fingerprint: string | undefined;
  readonly reservation: { readonly token: string; readonly holdMs: number } | undefined;
}

/** How a request is issued. */
export interface IssueOptions {
  /** 1 to 1,000. Default 1. */
  readonly count?: number;
  readonly reservation?: IssueFacts['reservation'];
  /** The writer whose documents share the commit, and this request's document. */
  readonly attached?: { readonly writer: string; readonly document: unknown } | undefined;
}

/** Checks the facts that a request stores in the ledger. @throws InvalidRequestError */
export function toIssueFacts(request: IssueRequest, options: IssueOptions = {}): IssueFacts {
  const key = checkOptionalText('key', request.key, 200);
  return {
    actor: checkText('actor', request.actor, 200),
    document: checkOptionalText('document', request.document, 200),
    reason: checkOptionalText('reason', request.reason, 1000),
    id: checkId('id', request.id),
    key,
    fingerprint: key === undefined ? undefined : fingerprintOf(request, options),
    reservation: options.reservation,
  };
}

/**
 * Returns a digest of the request's content and actor; a retry has the same digest. Keys belong to their actors: whoever
 * finds or guesses the key of another gets neither the number nor its reservation token. The date counts only if it was
 * given as a date string, because "now" is a different instant in each retry. The reference of a document that a writer
 * stores does not count, because an app might generate it anew for each attempt.
 */
function fingerprintOf(request: IssueRequest, options: IssueOptions): string {
  const { count = 1, reservation, attached } = options;
  const said = {
    actor: request.actor,
    space: request.space,
    series: request.series,
    dimensions: sorted('dimensions', request.dimensions),
    fields: sorted('fields', request.fields),
    date: typeof request.date === 'string' ? request.date : null,
    document: attached ? null : (request.document ?? null),
    content: request.content ?? contentOf(options),
    writer: attached?.writer ?? null,
    count,
    holdMs: reservation?.holdMs ?? null,
  };
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url');
}

/** A writer's document as JSON; `null` if it has no JSON form. */
function contentOf({ attached }: IssueOptions): string | null {
  try {
    const text: string | undefined = JSON.stringify(attached?.document, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    return text ?? null;
  } catch {
    return null;
  }
}

const sorted = (field: string, codes: unknown): [string, unknown][] =>
  Object.entries(checkCodes(field, codes)).sort(([a], [b]) => (a < b ? -1 : 1));

/** The checked options that all parts of a numbering share. */
export type Settings = ReturnType<typeof toSettings>;

const OPTIONS: Record<keyof NumberingOptions, true> = {
  database: true,
  connectionMax: true,
  redis: true,
  lock: true,
  codes: true,
  tokens: true,
  observer: true,
  now: true,
  random: true,
  lockTtlMs: true,
  lockWaitMs: true,
  batchMax: true,
  writerTimeoutMs: true,
  requestTimeoutMs: true,
  namedStatements: true,
};

/** Applies defaults to the options and checks their ranges. @throws InvalidRequestError for a value out of range */
export function toSettings(options: NumberingOptions) {
  refuseUnknownOptions(options, OPTIONS, (name, problem) => new InvalidRequestError(name, problem));
  const { lock = 'crowd', observer = {}, now = Date.now, random = Math.random } = options;
  return {
    observer: quietly(observer),
    now,
    random,
    lock: checkOneOf('lock', lock, ['crowd', 'always', 'never']),
    lockTtlMs: checkWhole('lockTtlMs', options.lockTtlMs ?? 3000, [100, 60_000]),
    lockWaitMs: checkWhole('lockWaitMs', options.lockWaitMs ?? 100, [0, 1000]),
    batchMax: checkWhole('batchMax', options.batchMax ?? 2000, [1, 10_000]),
    writerTimeoutMs: checkWhole('writerTimeoutMs', options.writerTimeoutMs ?? 5000, [1, 3_600_000]),
    requestTimeoutMs: checkWhole('requestTimeoutMs', options.requestTimeoutMs ?? 10_000, [1, 3_600_000]),
    connectionMax: checkWhole('connectionMax', options.connectionMax ?? 10, [1, 10_000]),
  };
}

/** Wraps an observer so that a failing handler never costs a number. */
function quietly(observer: NumberingObserver): NumberingObserver {
  const get =
    (_: NumberingObserver, name: string | symbol) =>
    (facts: never): unknown => {
      try {
        return observer[name as keyof NumberingObserver]?.(facts);
      } catch {
        // The observer that just failed is the only way to report anything.
        return undefined;
      }
    };
  return new Proxy<NumberingObserver>({}, { get });
}
