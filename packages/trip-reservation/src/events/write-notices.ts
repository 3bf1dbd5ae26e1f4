/**
 * Notices between the processes of a database: one of them is about to write events.
 *
 * A relay that has had nothing to publish for some seconds looks rarely. It looks often again when it hears this, so that it
 * soon finds the events of a process that dies after its commit and before it has published them. That is why the notice
 * precedes the statement: nobody could send it afterwards.
 *
 * Failures. A notice is lost with the connection of either side, and is not sent while Redis is away. Relays then find the
 * events when a sweeper looks. Those that reconnect look often, as if they had heard one.
 */
import { Deadline } from '@solegate/postgres-infra';
import type { PubSub } from '@solegate/redis-infra';
import type { Namespace } from '../sql/namespace.js';
import { ChannelListener } from '../timing/channel-listener.js';

/** A process that goes on writing repeats it after this long, in milliseconds. */
const REPEAT_MS = 2_500;
/** Limit for the namespace, in milliseconds, which is usually known. */
const NAMESPACE_MS = 5_000;

export interface WriteNoticesOptions {
  readonly pubSub: PubSub | undefined;
  readonly namespace: Namespace;
  readonly now: () => number;
}

export class WriteNotices {
  readonly #options: WriteNoticesOptions;
  #saidAt = Number.NEGATIVE_INFINITY;
  readonly #listener: ChannelListener | undefined;
  #heard = (): void => undefined;

  constructor(options: WriteNoticesOptions) {
    this.#options = options;
    this.#listener = options.pubSub && new ChannelListener(options.pubSub, () => this.#heard());
  }

  /** Call it before a statement that might write events. Never throws, and nobody waits for it. */
  say(): void {
    const { pubSub, now } = this.#options;
    if (pubSub === undefined || now() < this.#saidAt + REPEAT_MS) return;
    this.#saidAt = now();
    this.#channel()
      .then((channel) => pubSub.publish(channel, ''))
      .catch(() => undefined);
  }

  /** Subscribes once; tried again by the next call if that fails. */
  listen(heard: () => void): void {
    this.#heard = heard;
    this.#listener?.listen(
      () => this.#channel(),
      () => undefined,
    );
  }

  close(): void {
    this.#listener?.close();
  }

  async #channel(): Promise<string> {
    return `trip_writes:${await this.#options.namespace.read(Deadline.after(NAMESPACE_MS))}`;
  }
}
