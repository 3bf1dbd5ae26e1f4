import { type CallOptions, RefusedError, SolegateError } from '@solegate/client';
import { callerName } from './identity.js';
import { tabSignal } from './tab-signal.js';

/**
 * The idempotency keys of requests whose answers were lost, so that the user can send the same request again: the
 * gateway then returns the outcome of the first. They belong to the user and the intent, which identifies what would be
 * requested, and outlast signing in again.
 */
const keptKeys = tabSignal<Readonly<Record<string, string | undefined>>>('solegate-kept-keys', {});

const nameOf = (intent: string): string => `${callerName.value}: ${intent}`;

/** Whether `sendKept` repeats a request whose answer was lost. */
export function isKept(intent: string): boolean {
  return keptKeys.value[nameOf(intent)] !== undefined;
}

/**
 * Sends a request, under the key of the first if it is a repetition. The key is forgotten when the request is answered
 * or refused. Any other failure of a repetition leaves open what the first request did; so does a refused token.
 */
export async function sendKept<T>(intent: string, request: (options: CallOptions) => Promise<T>): Promise<T> {
  const name = nameOf(intent);
  const key = keptKeys.value[name];
  const keep = (lost: string | undefined): void => {
    keptKeys.value = { ...keptKeys.value, [name]: lost };
  };
  try {
    const answer = await request(key === undefined ? {} : { idempotencyKey: key });
    keep(undefined);
    return answer;
  } catch (error) {
    if (error instanceof SolegateError && error.outcomeUnknown) keep(error.idempotencyKey);
    else if (error instanceof RefusedError && error.code !== 'UNAUTHENTICATED') keep(undefined);
    throw error;
  }
}
