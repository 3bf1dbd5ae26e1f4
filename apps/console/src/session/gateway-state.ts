import { signal } from '@preact/signals';

/** Between two looks; the gateway itself looks at its stores twice a second. */
const LOOK_EVERY_MS = 500;
const ANSWER_WITHIN_MS = 1_400;
/** How long "back again" stays in sight. */
const BACK_SHOWN_MS = 4_000;

export type GatewayState =
  | { readonly kind: 'WELL' }
  /** Back again a moment ago. */
  | { readonly kind: 'BACK' }
  | { readonly kind: 'AWAY'; readonly reasons: readonly string[] };

/** Whether the gateway and its stores answer. */
export const gatewayState = signal<GatewayState>({ kind: 'WELL' });
/** Grows each time that everything is back: what is on the page is then read again. */
export const recoveryCount = signal(0);

let answeredAt = Number.NEGATIVE_INFINITY;

/** Notes that the gateway has just answered a question of this page. */
export function answered(): void {
  answeredAt = performance.now();
}

/** Looks again and again, for as long as the page is open; a page that nobody sees does not ask. */
export function watchGateway(): void {
  const look = async (): Promise<void> => {
    if (document.visibilityState === 'visible') {
      const reasons = await reasonsAway();
      if (reasons !== undefined) settle(reasons);
    }
    setTimeout(() => void look(), LOOK_EVERY_MS);
  };
  void look();
}

function settle(reasons: readonly string[]): void {
  const before = gatewayState.value;
  if (reasons.length > 0) {
    if (before.kind !== 'AWAY' || before.reasons.join() !== reasons.join()) {
      gatewayState.value = { kind: 'AWAY', reasons };
    }
    return;
  }
  if (before.kind !== 'AWAY') return;
  gatewayState.value = { kind: 'BACK' };
  recoveryCount.value += 1;
  setTimeout(() => {
    if (gatewayState.value.kind === 'BACK') gatewayState.value = { kind: 'WELL' };
  }, BACK_SHOWN_MS);
}

/**
 * The health of the gateway is a question of its own: it is answered without an identity, and whatever GraphQL does. A
 * browser has six connections to one host, so the question may have to wait for answers to others; then those are proof
 * enough that somebody is there.
 */
async function reasonsAway(): Promise<readonly string[] | undefined> {
  const askedAt = performance.now();
  try {
    const response = await fetch('/health/ready', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const { reasons = {}, away = {} } = (await response.json()) as {
      reasons?: Readonly<Record<string, string>>;
      away?: Readonly<Record<string, string>>;
    };
    return Object.values({ ...reasons, ...away });
  } catch {
    if (answeredAt > askedAt) return undefined;
    return ['The gateway does not answer'];
  }
}
