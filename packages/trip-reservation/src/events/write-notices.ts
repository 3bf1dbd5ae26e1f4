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
import type { PubSub, Subscription } from '@solegate/redis-infra';
import type { Namespace } from '../sql/namespace.js';

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
  #subscribed: Promise<Subscription> | undefined;
  #isClosed = false;

  constructor(options: WriteNoticesOptions) {
    this.#options = options;
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
    if (this.#options.pubSub === undefined || this.#subscribed !== undefined || this.#isClosed) return;
    this.#hear(this.#options.pubSub, heard)
      .catch(() => undefined)
      .finally(() => {
        this.#subscribed = undefined;
      });
  }

  close(): void {
    this.#isClosed = true;
    this.#subscribed?.then(
      (subscription) => subscription.close(),
      () => undefined,
    );
  }

  async #hear(pubSub: PubSub, heard: () => void): Promise<void> {
    this.#subscribed = this.#channel().then((channel) => pubSub.subscribe(channel));
    for await (const _news of await this.#subscribed) heard();
  }

  async #channel(): Promise<string> {
    return `trip_writes:${await this.#options.namespace.read(Deadline.after(NAMESPACE_MS))}`;
  }
}
