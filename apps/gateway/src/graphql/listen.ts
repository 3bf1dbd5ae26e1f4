import { setTimeout as pause } from 'node:timers/promises';
import type { PubSub, PubSubEvent, Subscription } from '@solegate/redis-infra';
import type { Source } from './events.js';

/** A responsive Redis confirms a channel within a few milliseconds. */
const CONFIRMED_MAX_MS = 150;
/** Between two requests for a channel that Redis has not confirmed. */
const REPEAT_MS = 500;

/**
 * Subscribes to a channel. The caller does not wait for a Redis that is away: then the subscription begins all the same,
 * and its first event, once Redis is back, is a gap.
 */
export async function listen(pubSub: PubSub, channel: string): Promise<Source<PubSubEvent>> {
  const leaving = new AbortController();
  const confirmed = confirm(pubSub, channel, leaving.signal);
  return (await Promise.race([confirmed, pause(CONFIRMED_MAX_MS)])) ?? begun(confirmed, leaving);
}

/** Requests the channel until Redis confirms it; undefined once the signal aborts. */
async function confirm(
  pubSub: PubSub,
  channel: string,
  signal: AbortSignal,
): Promise<Subscription | undefined> {
  while (!signal.aborted) {
    try {
      const subscription = await pubSub.subscribe(channel);
      if (!signal.aborted) return subscription;
      subscription.close();
    } catch {
      await pause(REPEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}

/** A subscription that Redis has not confirmed yet. */
function begun(confirmed: Promise<Subscription | undefined>, leaving: AbortController): Source<PubSubEvent> {
  const left = new Promise<undefined>((resolve) => {
    leaving.signal.addEventListener('abort', () => resolve(undefined));
  });
  let subscription: Subscription | undefined;
  return {
    async next() {
      if (subscription !== undefined) return subscription.next();
      subscription = await Promise.race([confirmed, left]);
      return subscription === undefined
        ? { done: true, value: undefined }
        : { done: false, value: { kind: 'GAP' } };
    },
    close() {
      leaving.abort();
      void confirmed.then((late) => late?.close());
    },
  };
}
