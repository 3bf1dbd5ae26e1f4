/// <reference lib="esnext.disposable" preserve="true" />
import { type CallContext, call } from './calls/call.js';
import type { CallOptions, SubscribeOptions, Variables } from './contract/operation.js';
import { type Methods, OPERATIONS } from './generated/operations.js';
import { withFallback } from './subscriptions/channel-fallback.js';
import { eventStreams } from './subscriptions/event-stream.js';
import { subscribe } from './subscriptions/subscription.js';
import { type ClientOptions, readOptions } from './wire/client-options.js';
import { Connection, type ConnectionStatus } from './wire/connection.js';

/** A client of one gateway; see {@link createClient}. */
export interface Client extends Methods, AsyncDisposable {
  /** What the last calls and subscriptions met. */
  readonly status: ConnectionStatus;
  /**
   * Calls back at each change of `status`, such as a store or the gateway that goes away and comes back.
   *
   * @returns ends it
   */
  onConnectionChange(listener: (status: ConnectionStatus) => void): () => void;
  /** Ends every call and subscription. May be called twice. */
  close(): Promise<void>;
}

/**
 * A client for the gateway: one method for each operation, named as in the API. Calls end within `timeoutMs`. A method
 * gives an outcome, such as TripTaken, as a value with a `__typename`; whatever else happens is a SolegateError.
 *
 * Calls are repeated when that is right: a mutation that takes an idempotency key gets one, and every attempt has the same.
 *
 * @throws TypeError, RangeError for options that make no sense
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
