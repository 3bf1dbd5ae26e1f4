import type { PubSub, Subscription } from '@solegate/redis-infra';
import { GatewayError } from '../errors/gateway-error.js';

/** A responsive Redis confirms a channel within a few milliseconds. */
const LISTEN_MAX_MS = 150;

/**
 * Subscribes to a channel, or fails quickly: the caller is waiting, and the connection for subscribers would retry for
 * seconds.
 *
 * @throws {GatewayError} EVENTS_UNAVAILABLE
 */
export async function listen(pubSub: PubSub, channel: string): Promise<Subscription> {
  const confirmed = pubSub.subscribe(channel);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    // In a busy process the timer can fire before a reply that has already arrived is read: one more turn reads it.
    timer = setTimeout(() => setImmediate(() => reject(eventsUnavailable())), LISTEN_MAX_MS);
  });
  try {
    return await Promise.race([confirmed, tooLate]);
  } catch (error) {
    // The subscription might still be confirmed, but no one waits for it any more.
    confirmed.then(
      (late) => late.close(),
      () => undefined,
    );
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function eventsUnavailable(): GatewayError {
  return new GatewayError({
    code: 'SERVICE_UNAVAILABLE',
    reason: 'EVENTS_UNAVAILABLE',
    message: 'Events are unavailable at the moment; read the current state, then subscribe again.',
    retryable: true,
    retryAfterMs: 1_000,
  });
}
