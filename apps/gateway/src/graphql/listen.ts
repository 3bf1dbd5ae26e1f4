import type { PubSub, Subscription } from '@solegate/redis-infra';
import { GatewayError } from '../errors/gateway-error.js';

/** A Redis that confirms a channel does so within a few milliseconds. */
const LISTEN_MAX_MS = 150;

/**
 * Listens to a channel, or says in time that it cannot: the caller waits, while the connection for subscribers would try
 * for seconds.
 *
 * @throws {GatewayError} EVENTS_UNAVAILABLE
 */
export async function listen(pubSub: PubSub, channel: string): Promise<Subscription> {
  const confirmed = pubSub.subscribe(channel);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    // A process that was busy finds its timer due before it has read what arrived meanwhile: one more turn reads it.
    timer = setTimeout(() => setImmediate(() => reject(eventsUnavailable())), LISTEN_MAX_MS);
  });
  try {
    return await Promise.race([confirmed, tooLate]);
  } catch (error) {
    // Nobody waits any more for what may still be confirmed.
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
    message: 'Events cannot be heard at the moment; read the current state, and subscribe again.',
    retryable: true,
    retryAfterMs: 1_000,
  });
}
