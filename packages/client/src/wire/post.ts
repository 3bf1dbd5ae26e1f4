import {
  brokenOff,
  type Failure,
  failureOf,
  noToken,
  notGraphql,
  readRetryAfter,
} from '../contract/failure.js';
import type { GraphqlResult, Variables } from '../contract/operation.js';
import type { Settings } from './client-options.js';
import { orAborted, TIME_IS_UP } from './time-limit.js';

/** The result of one attempt: the gateway's response, or why it failed. */
export type Attempt =
  | { readonly data: Variables; readonly failure?: undefined }
  | { readonly failure: Failure };

const HEADERS = {
  accept: 'application/graphql-response+json, application/json;q=0.9',
  'content-type': 'application/json',
};

/** Sends one POST request. Never throws; an aborted signal is returned as a failure. */
export async function post(settings: Settings, body: string, signal: AbortSignal): Promise<Attempt> {
  const { headers, failure } = await readHeaders(settings, signal);
  if (headers === undefined) return { failure };
  try {
    const { status, retryAfterMs, text } = await orAborted(send(settings, { body, signal, headers }), signal);
    return readAnswer(text, status, retryAfterMs);
  } catch (cause) {
    return { failure: brokenOff(cause, signal.reason === TIME_IS_UP ? 'TIMEOUT' : undefined) };
  }
}

type HeadersRead =
  | { readonly headers: Record<string, string>; readonly failure?: undefined }
  | { readonly headers?: undefined; readonly failure: Failure };

/** Reads the headers of a request; a failure means that the caller's functions failed and nothing was sent. */
export async function readHeaders(
  settings: Settings,
  signal: AbortSignal,
  own: Readonly<Record<string, string>> = HEADERS,
): Promise<HeadersRead> {
  try {
    return { headers: { ...(await orAborted(settings.readHeaders(), signal)), ...own } };
  } catch (cause) {
    return { failure: noToken(cause) };
  }
}

interface Request {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly signal: AbortSignal;
}

async function send(settings: Settings, request: Request) {
  const response = await settings.fetch(settings.url, { method: 'POST', ...request });
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
  return { status: response.status, retryAfterMs, text: await response.text() };
}

/** Interprets the body of a response, GraphQL or not. */
export function readAnswer(text: string, status: number, retryAfterMs?: number): Attempt {
  const result = parse(text);
  if (result === undefined) return { failure: notGraphql(status, retryAfterMs) };
  const failure = failureOf(result, retryAfterMs);
  return failure === undefined ? { data: result.data ?? {} } : { failure };
}

function parse(text: string): GraphqlResult | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { data, errors } = value as GraphqlResult;
    if (Array.isArray(errors) && errors.length > 0) return { data: data ?? null, errors };
    return typeof data === 'object' && data !== null ? { data } : undefined;
  } catch {
    return undefined;
  }
}
