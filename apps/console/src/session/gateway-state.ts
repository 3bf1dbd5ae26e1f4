import { signal } from '@preact/signals';
import { RefusedError, SolegateError } from '@solegate/client';
import { isKnown } from './identity.js';

/** Polling interval; the gateway itself probes its stores twice a second. */
const LOOK_EVERY_MS = 500;
/** How long an answer to a poll may take. */
export const ANSWER_WITHIN_MS = 1_400;
/** How long the recovery notice is shown. */
const BACK_SHOWN_MS = 4_000;

export type GatewayState =
  | { readonly kind: 'WELL' }
  /** Recovered within the last few seconds. */
  | { readonly kind: 'BACK' }
  /** Without reasons: the gateway answers again, but has not yet said what works. */
  | { readonly kind: 'AWAY'; readonly reasons: readonly string[] };

const NO_ANSWER = 'The gateway does not answer';

/** Whether the gateway and its stores are available. */
export const gatewayState = signal<GatewayState>({ kind: 'WELL' });
/** Incremented at each recovery, which makes the page reload its data. */
export const recoveryCount = signal(0);

let answeredAt = Number.NEGATIVE_INFINITY;

/** Records that the gateway has just answered a request of this page. */
export function answered(): void {
  answeredAt = performance.now();
}

/** What is wrong with the gateway's parts; empty if all work. */
type Poll = () => Promise<readonly string[]>;

/** Polls for as long as the page is open, except while it is hidden or nobody is signed in. */
export function watchGateway(poll: Poll): void {
  const look = async (): Promise<void> => {
    if (document.visibilityState === 'visible' && isKnown.value) await pollOnce(poll);
    setTimeout(() => void look(), LOOK_EVERY_MS);
  };
  void look();
}

/**
 * A refused poll shows that the gateway answers, and nothing about its parts. A browser opens six connections per host,
 * so the poll might have to wait for other responses; in that case those prove that the gateway is up.
 */
async function pollOnce(poll: Poll): Promise<void> {
  const askedAt = performance.now();
  try {
    const reasons = await poll();
    if (reasons.length > 0) showAway(reasons);
    else showRecovery();
  } catch (error) {
    if (isRefusal(error)) showAnswering();
    else if (!isUserChanged(error) && answeredAt <= askedAt) showAway([NO_ANSWER]);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof RefusedError || (error instanceof SolegateError && error.code === 'RATE_LIMITED');
}

function isUserChanged(error: unknown): boolean {
  return error instanceof SolegateError && error.code === 'ABORTED';
}

function showAway(reasons: readonly string[]): void {
  const before = gatewayState.value;
  if (before.kind === 'AWAY' && before.reasons.join() === reasons.join()) return;
  gatewayState.value = { kind: 'AWAY', reasons };
}

function showAnswering(): void {
  const before = gatewayState.value;
  if (before.kind === 'AWAY') showAway(before.reasons.filter((reason) => reason !== NO_ANSWER));
}

function showRecovery(): void {
  if (gatewayState.value.kind !== 'AWAY') return;
  gatewayState.value = { kind: 'BACK' };
  recoveryCount.value += 1;
  setTimeout(() => {
    if (gatewayState.value.kind === 'BACK') gatewayState.value = { kind: 'WELL' };
  }, BACK_SHOWN_MS);
}
