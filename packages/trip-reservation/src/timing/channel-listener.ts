import type { PubSub, Subscription } from '@solegate/redis-infra';

type News = Subscription extends AsyncIterable<infer One> ? One : never;

/** What a process hears on one channel, from the first call of `listen` until it is closed. */
export class ChannelListener {
  readonly #pubSub: PubSub;
  readonly #hear: (news: News) => void;
  #subscribed: Promise<Subscription> | undefined;
  #isHearing = false;
  #isClosed = false;

  constructor(pubSub: PubSub, hear: (news: News) => void) {
    this.#pubSub = pubSub;
    this.#hear = hear;
  }

  /** Whether messages are heard now. */
  get isHearing(): boolean {
    return this.#isHearing;
  }

  /** Subscribes once; tried again by the next call if that fails, which is reported. */
  listen(channel: () => Promise<string>, failed: (error: unknown) => void): void {
    if (this.#subscribed !== undefined || this.#isClosed) return;
    this.#subscribed = channel().then((name) => this.#pubSub.subscribe(name));
    this.#read(this.#subscribed)
      .catch(failed)
      .finally(() => {
        this.#subscribed = undefined;
      });
  }

  /** Subscribes no more, and ends the subscription, also one that is just beginning. */
  close(): void {
    this.#isClosed = true;
    this.#subscribed?.then(
      (subscription) => subscription.close(),
      () => undefined,
    );
  }

  async #read(subscribed: Promise<Subscription>): Promise<void> {
    const subscription = await subscribed;
    this.#isHearing = true;
    for await (const news of subscription) this.#hear(news);
    this.#isHearing = false;
  }
}
