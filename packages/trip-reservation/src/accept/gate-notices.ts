/**
 * Notices of other processes: the hold that drivers of this process wait for has ended.
 *
 * Authority. The row decides; a notice only ends a wait early. It carries the decision, so that those who wait need not
 * ask Redis again, or nothing if the gate is free.
 *
 * A process has one channel. A call that finds a hold of another process leaves this process's boot ID beside it, in the
 * same script; the script that ends the hold publishes to each of them. So a hold for which nobody waits costs no
 * message, and a process hears only what its drivers wait for.
 *
 * Failures. A notice is lost with the connection of either side, or with the process that should send it: the wait ends
 * with the hold's life or the caller's patience, and the row is read. While the channel is not subscribed, the boot ID is
 * not left, and callers look again after pauses that double.
 */
import type { PubSub } from '@solegate/redis-infra';
import { ChannelListener } from '../timing/channel-listener.js';

interface Offer {
  readonly tripId: bigint;
  readonly epoch: number;
}

/** What one round hears about its offer, from `open` on. */
export class GateNotice {
  #entry: string | undefined;
  #heard = () => {};

  constructor(readonly close: () => void) {}

  hear(entry: string): void {
    this.#entry = entry;
    this.#heard();
  }

  /** Resolves with the entry of the gate as soon as a notice arrives, undefined after `waitMs`. */
  async take(waitMs: number): Promise<string | undefined> {
    if (this.#entry === undefined) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.#heard = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const entry = this.#entry;
    this.#entry = undefined;
    return entry;
  }
}

export interface GateNoticesOptions {
  readonly pubSub: PubSub;
  readonly bootId: string;
  readonly failed: (error: Error) => void;
}

/** The notices of one process. */
export class GateNotices {
  readonly #options: GateNoticesOptions;
  readonly #byOffer = new Map<string, Set<GateNotice>>();
  readonly #listener: ChannelListener;

  constructor(options: GateNoticesOptions) {
    this.#options = options;
    this.#listener = new ChannelListener(options.pubSub, (news) => {
      const [key = '', entry = ''] = news.kind === 'MESSAGE' ? news.payload.split(' ') : [];
      const heard = news.kind === 'MESSAGE' ? [this.#byOffer.get(key) ?? []] : this.#byOffer.values();
      for (const ofOffer of heard) for (const notice of ofOffer) notice.hear(entry);
    });
  }

  /** The boot ID to leave beside a hold; empty while notices would not be heard. */
  get listenerId(): string {
    return this.#listener.isHearing ? this.#options.bootId : '';
  }

  open({ tripId, epoch }: Offer): GateNotice {
    const key = `${tripId}:${epoch}`;
    const ofOffer = this.#byOffer.get(key) ?? new Set();
    this.#byOffer.set(key, ofOffer);
    const notice = new GateNotice(() => {
      ofOffer.delete(notice);
      if (ofOffer.size === 0 && this.#byOffer.get(key) === ofOffer) this.#byOffer.delete(key);
    });
    ofOffer.add(notice);
    return notice;
  }

  /** Subscribes once; tried again by the next call if that fails. */
  listen(channelPrefix: string): void {
    const { bootId, failed } = this.#options;
    this.#listener.listen(
      async () => `${channelPrefix}${bootId}`,
      (error) => failed(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Subscribes no more, and ends the subscription, also one that is just beginning. */
  close(): void {
    this.#listener.close();
  }
}
