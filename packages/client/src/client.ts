/// <reference lib="esnext.disposable" preserve="true" />
import { type CallContext, call } from './calls/call.js';
import type { CallOptions, SubscribeOptions, Variables } from './contract/operation.js';
import { type Methods, OPERATIONS } from './generated/operations.js';
import { withFallback } from './subscriptions/channel-fallback.js';
import { eventStreams } from './subscriptions/event-stream.js';
import { subscribe } from './subscriptions/subscription.js';
import { type ClientOptions, readOptions } from './wire/client-options.js';
import { Connection, type ConnectionStatus } from './wire/connection.js';

/** A client for one gateway; see {@link createClient}. */
export interface Client extends Methods, AsyncDisposable {
  /** Connection status, derived from the latest calls and subscriptions. */
  readonly status: ConnectionStatus;
  /**
   * Calls `listener` on each change of `status`, such as a store or the gateway becoming unavailable or recovering.
   *
   * @returns a function that removes the listener
   */
  onConnectionChange(listener: (status: ConnectionStatus) => void): () => void;
  /** Ends every call and subscription. Can be called more than once. */
  close(): Promise<void>;
}

/**
 * Creates a client for a gateway: one method per operation, named as in the API. Calls settle within `timeoutMs`. An
 * outcome, such as TripTaken, is returned as a value with a `__typename`; anything else throws a SolegateError.
 *
 * Calls are retried when that is safe: a mutation that accepts an idempotency key gets one, shared by all its attempts.
 *
 * @throws TypeError, RangeError for invalid options
 */
export function createClient(options: ClientOptions): Client {
  const settings = readOptions(options);
  const connection = new Connection();
  const closing = new AbortController();
  const context: CallContext = { settings, connection, closing: closing.signal };
  const events = eventStreams(settings);
  const channel = settings.webSocket ? withFallback(settings.webSocket, events) : events;
  const methods = Object.entries(OPERATIONS).map(([name, operation]) => {
    const method = (variables: Variables = {}, own: CallOptions & SubscribeOptions = {}) =>
      operation.kind === 'subscription'
        ? subscribe({ name, operation, context, channel, variables, options: own })
        : call(name, operation, context, { variables, options: own });
    return [name, method];
  });
  const close = async (): Promise<void> => {
    closing.abort();
    await channel.close();
  };
  return {
    ...(Object.fromEntries(methods) as Methods),
    get status() {
      return connection.status;
    },
    onConnectionChange: (listener) => connection.onChange(listener),
    close,
    [Symbol.asyncDispose]: close,
  };
}
