import { assertRedisConnection } from './assert-redis-connection.js';
import type { RedisConnection } from './connect-redis.js';
import { refuseUnknownOptions } from './option-names.js';
import { mightSend, RedisUnavailableError, redisFailure } from './redis-failure.js';
import { type PubSubEvent, type Subscription, SubscriptionQueue } from './subscription.js';

/*
 * Messages to the current listeners, over one connection for all channels of a process.
 *
 * Authority: the channels of this object determine the connection's subscriptions. Redis keeps subscriptions per
 * connection and drops them with it, so all are requested again whenever the connection becomes ready. Commands are
 * sent in the order in which the channels change, and Redis runs the commands of one connection in order, so both
 * sides end up in the same state.
 *
 * States of a channel: absent -> requested (first listener) -> confirmed -> absent (last listener left).
 *
 * Failures:
 * - the connection breaks: listeners stay; after the next confirmation each receives a gap, because Redis keeps no
 *   messages for a disconnected client.
 * - a confirmation does not arrive in time: subscribe() rejects and its listener is removed. If a reconnect has made
 *   a newer request meanwhile, subscribe() waits for that one instead.
 * - the peer vanished without closing: a PING every few seconds gets no reply and the connection is replaced.
 * - a reader is slow: its own queue is replaced by a gap; neither other readers nor the connection wait for it.
 */

/** Options of {@link createPubSub}. */
export interface PubSubOptions {
  /** A connection of purpose `subscriber`, used only by this object. */
  readonly subscriber: RedisConnection;
  /** A connection of purpose `background`; it can be shared. */
  readonly publisher: RedisConnection;
  /** Unread events kept per reader, 1 to 100 000. Default: 256. */
  readonly queueMax?: number;
  /** Pause between two PINGs, in milliseconds, at least 100. Default: 5000. */
  readonly heartbeatMs?: number;
}

interface Channel {
  readonly subscriptions: Set<SubscriptionQueue>;
  /** The newest request for this channel. */
  confirmation: Promise<unknown>;
  /** Index of the connection that confirmed it last; 0 before the first confirmation. */
  confirmedBy: number;
  /** The newest request failed on a working connection; the next heartbeat retries it. */
  isRefused: boolean;
}

/** Publishes messages, and fans incoming ones out to the listeners of this process. */
export interface PubSub extends AsyncDisposable {
  /** The number of channels with listeners. */
  readonly channelCount: number;
  /**
   * Sends a message to all current listeners.
   *
   * @throws RedisUnavailableError, RedisOutcomeUnknownError
   */
  publish(channel: string, payload: string): Promise<void>;
  /**
   * Subscribes to a channel. Every message published after the promise resolves is delivered, or a gap in its place.
   *
   * @throws RedisUnavailableError, RedisOutcomeUnknownError: there is no subscription then
   */
  subscribe(channel: string): Promise<Subscription>;
  /** Ends all subscriptions. Does not close the connections, which belong to the caller. */
  close(): void;
}

class RedisPubSub implements PubSub {
  readonly #subscriber: RedisConnection;
  readonly #publisher: RedisConnection;
  readonly #queueMax: number;
  readonly #channels = new Map<string, Channel>();
  readonly #heartbeat: NodeJS.Timeout;
  #connectionIndex = 1;
  #isClosed = false;

  constructor(options: PubSubOptions) {
    assertRedisConnection(options.subscriber);
    assertRedisConnection(options.publisher);
    this.#subscriber = options.subscriber;
    this.#publisher = options.publisher;
    this.#queueMax = within('queueMax', options.queueMax ?? 256, [1, 100_000]);
    const heartbeatMs = within('heartbeatMs', options.heartbeatMs ?? 5000, [100, 3_600_000]);
    this.#subscriber.on('message', this.#deliver);
    this.#subscriber.on('close', this.#countConnection);
    this.#subscriber.on('ready', this.#resume);
    this.#heartbeat = setInterval(this.#beat, heartbeatMs).unref();
  }

  get channelCount(): number {
    return this.#channels.size;
  }

  async publish(channel: string, payload: string): Promise<void> {
    const isSendable = mightSend(this.#publisher);
    try {
      await this.#publisher.publish(channel, payload);
    } catch (error) {
      throw redisFailure(error, isSendable);
    }
  }

  async subscribe(channel: string): Promise<Subscription> {
    if (this.#isClosed) throw new RedisUnavailableError('This PubSub is closed; nothing was sent');
    const isSendable = mightSend(this.#subscriber);
    const entry = this.#channels.get(channel) ?? this.#open(channel);
    const subscription = new SubscriptionQueue(this.#queueMax, () =>
      this.#leave(channel, entry, subscription),
    );
    entry.subscriptions.add(subscription);
    try {
      await newestConfirmation(entry);
    } catch (error) {
      subscription.close();
      throw redisFailure(error, isSendable);
    }
    return subscription;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    for (const { subscriptions } of this.#channels.values()) {
      for (const subscription of subscriptions) subscription.close();
    }
    this.#subscriber.off('message', this.#deliver);
    this.#subscriber.off('close', this.#countConnection);
    this.#subscriber.off('ready', this.#resume);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #open(name: string): Channel {
    const channel: Channel = {
      subscriptions: new Set(),
      confirmation: Promise.resolve(),
      confirmedBy: 0,
      isRefused: false,
    };
    this.#channels.set(name, channel);
    this.#request([[name, channel]]);
    return channel;
  }

  #request(channels: readonly (readonly [string, Channel])[]): void {
    const confirmation = this.#subscriber.subscribe(...channels.map(([name]) => name));
    for (const [, channel] of channels) Object.assign(channel, { confirmation, isRefused: false });
    confirmation.then(
      () => {
        for (const [, channel] of channels) this.#confirm(channel);
      },
      () => {
        for (const [, channel] of channels) channel.isRefused = channel.confirmation === confirmation;
      },
    );
  }

  /** If another connection confirms than before, messages published between the two are lost. */
  #confirm(channel: Channel): void {
    const wasReplaced = channel.confirmedBy !== 0 && channel.confirmedBy !== this.#connectionIndex;
    channel.confirmedBy = this.#connectionIndex;
    if (!wasReplaced) return;
    for (const subscription of channel.subscriptions) subscription.push({ kind: 'GAP' });
  }

  #leave(name: string, channel: Channel, subscription: SubscriptionQueue): void {
    channel.subscriptions.delete(subscription);
    if (channel.subscriptions.size > 0 || this.#channels.get(name) !== channel) return;
    this.#channels.delete(name);
    // Without a connection there is nothing to unsubscribe from.
    if (this.#subscriber.status === 'ready') this.#subscriber.unsubscribe(name).catch(ignore);
  }

  readonly #deliver = (name: string, payload: string): void => {
    // One object for all readers, so that they can share what they make of it.
    const event: PubSubEvent = { kind: 'MESSAGE', payload };
    for (const subscription of this.#channels.get(name)?.subscriptions ?? []) subscription.push(event);
  };

  readonly #beat = (): void => {
    this.#subscriber.ping().catch(ignore);
    const refused = [...this.#channels].filter(([, channel]) => channel.isRefused);
    if (refused.length > 0) this.#request(refused);
  };

  readonly #countConnection = (): void => {
    this.#connectionIndex += 1;
  };

  readonly #resume = (): void => {
    if (this.#channels.size > 0) this.#request([...this.#channels]);
  };
}

/** Creates a {@link PubSub}. */
export function createPubSub(options: PubSubOptions): PubSub {
  refuseUnknownOptions(options, { subscriber: true, publisher: true, queueMax: true, heartbeatMs: true });
  return new RedisPubSub(options);
}

async function newestConfirmation(channel: Channel): Promise<void> {
  for (;;) {
    const { confirmation } = channel;
    try {
      await confirmation;
      return;
    } catch (error) {
      if (channel.confirmation === confirmation) throw error;
    }
  }
}

function within(name: string, value: number, [min, max]: readonly [number, number]): number {
  if (value >= min && value <= max) return value;
  throw new RangeError(`PubSub: ${name} must be between ${min} and ${max}, not ${value}.`);
}

/** The failure surfaces in the caller of the same command, or at the next heartbeat. */
function ignore(): void {}
