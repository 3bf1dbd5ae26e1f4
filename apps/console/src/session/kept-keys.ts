import { type CallOptions, SolegateError } from '@solegate/client';
import { callerName } from './identity.js';
import { tabSignal } from './tab-signal.js';

/**
 * The idempotency keys of requests without a known outcome, so that the user can send the same request again: the
 * gateway then returns the outcome of the first. They belong to the user and the intent, which identifies what would be
 * requested, and outlast signing in again and a reload of the page, also of one that still waits for the answer.
 */
const keptKeys = tabSignal<Readonly<Record<string, string | undefined>>>('solegate-kept-keys', {});

/** What this page is requesting for the first time. */
const firstRequests = new Set<string>();

const nameOf = (intent: string): string => `${callerName.value}: ${intent}`;

/** Whether `sendKept` repeats a request whose answer was lost. */
export function isKept(intent: string): boolean {
  const name = nameOf(intent);
  return keptKeys.value[name] !== undefined && !firstRequests.has(name);
}

/**
 * Sends a request, under the key of the first if it is a repetition. The key is kept until the outcome is known.
 *
 * @param request throws errors other than the client's only once it has been answered
 */
export async function sendKept<T>(intent: string, request: (options: CallOptions) => Promise<T>): Promise<T> {
  const name = nameOf(intent);
  const kept = keptKeys.value[name];
  const isFirst = kept === undefined;
  // `crypto.randomUUID` is missing on pages without https.
  const idempotencyKey = kept ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
  const keep = (key: string | undefined): void => {
    keptKeys.value = { ...keptKeys.value, [name]: key };
  };
  let isKnown = true;
  if (isFirst) firstRequests.add(name);
  keep(idempotencyKey);
  try {
    return await request({ idempotencyKey });
  } catch (error) {
    isKnown = !(error instanceof SolegateError) || isOutcome(error, isFirst);
    throw error;
  } finally {
    if (isFirst) firstRequests.delete(name);
    keep(isKnown ? undefined : idempotencyKey);
  }
}

/**
 * Whether a failure shows that nothing was done under the key. One of a repetition shows it only if the gateway had looked
 * for the key, as before every FAILED_PRECONDITION. Its other refusals can come before that, from the checks of the caller,
 * the document and the variables, or from a proxy.
 */
function isOutcome({ code, outcomeUnknown }: SolegateError, isFirst: boolean): boolean {
  return !outcomeUnknown && (isFirst || code === 'FAILED_PRECONDITION');
}
