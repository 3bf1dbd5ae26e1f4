import { setMaxListeners } from 'node:events';
import { SolegateError, type Tsid } from '@solegate/client';
import { UntilTimeoutError, until } from '@solegate/testkit';
import type { ReceivedEvent, ReceivedFact, Streams } from '../history/history.js';
import type { Frontends } from './frontends.js';
import type { Series } from './places.js';

/** How long after recovery a subscription has to deliver what is due, in milliseconds. */
const DUE_MS = 15_000;
/** A driver and a clerk who do nothing but listen. */
const LISTENERS = { driver: 'driver-999', clerk: 'clerk-999' };

/** What subscribers receive during a run. */
export class Subscribers {
  readonly #updates: { tripId: string; events: ReceivedEvent[] }[] = [];
  readonly #offers: string[] = [];
  readonly #numbers: string[] = [];
  readonly #facts: ReceivedFact[] = [];
  readonly #watching = new Set<Promise<void>>();
  readonly #listening = new Set<Promise<void>>();
  readonly #ending = new AbortController();

  constructor(
    private readonly frontends: Frontends,
    private readonly dueMs = DUE_MS,
  ) {
    // Every subscription listens to it.
    setMaxListeners(0, this.#ending.signal);
  }

  get received(): Streams {
    const [updates, offers, numbers, facts] = [this.#updates, this.#offers, this.#numbers, this.#facts];
    return { updates, offers, numbers, facts };
  }

  /** Watches a trip as its rider, from its first revision until it ends. */
  watch(riderId: string, tripId: Tsid): void {
    const events: ReceivedEvent[] = [];
    this.#updates.push({ tripId, events });
    const client = this.frontends.of(`rider-${riderId}`);
    const updates = client.tripUpdated({ tripId, afterRevision: 0 }, { signal: this.#ending.signal });
    this.#read(this.#watching, updates, ({ revision, type, status, offerEpoch }) => {
      events.push({ revision, type, status, epoch: offerEpoch });
    });
  }

  /** Follows a series from its first number, whatever happens, until `finish`. */
  follow({ projectCode, typeCode }: Series): void {
    const { signal } = this.#ending;
    const facts = this.frontends
      .of(LISTENERS.clerk)
      .documentNumberFacts({ projectCode, typeCode }, { signal });
    this.#read(this.#listening, facts, (batch) => {
      for (const { kind, number: about } of batch.facts) {
        const { number, sequence, organizationCode, disciplineCode, period } = about;
        const counter = [projectCode, typeCode, organizationCode, disciplineCode, period].join('/');
        this.#facts.push({ kind, number, sequence, counter });
      }
    });
  }

  /** Listens to all offers and all numbers. */
  listen(): void {
    const { signal } = this.#ending;
    const offers = this.frontends.of(LISTENERS.driver).tripOffered({}, { signal });
    const numbers = this.frontends.of(LISTENERS.clerk).documentNumberIssued({}, { signal });
    this.#read(this.#listening, offers, ({ tripId, state }) => {
      if (state === 'OPEN') this.#offers.push(tripId);
    });
    this.#read(this.#listening, numbers, ({ number }) => void this.#numbers.push(number));
  }

  hasHeard({
    offers,
    numbers,
  }: {
    readonly offers: readonly string[];
    readonly numbers: readonly string[];
  }): boolean {
    return (
      offers.every((tripId) => this.#offers.includes(tripId)) &&
      numbers.every((number) => this.#numbers.includes(number))
    );
  }

  hasFacts(facts: readonly Pick<ReceivedFact, 'kind' | 'number'>[]): boolean {
    return facts.every(({ kind, number }) =>
      this.#facts.some((fact) => fact.kind === kind && fact.number === number),
    );
  }

  /** Resolves when `isDone`, or when it is overdue, which the checker then reports. */
  async whenDone(isDone: () => boolean | Promise<boolean>): Promise<void> {
    await until(isDone, { timeoutMs: this.dueMs, intervalMs: 50 }).catch((error: unknown) => {
      if (!(error instanceof UntilTimeoutError)) throw error;
    });
  }

  /** Resolves when all watched trips have reported their end, or are overdue. */
  async finish(): Promise<void> {
    await this.whenDone(() => this.#watching.size === 0);
    this.#ending.abort();
    await Promise.all([...this.#watching, ...this.#listening]);
  }

  #read<Item>(readers: Set<Promise<void>>, items: AsyncIterable<Item>, hear: (item: Item) => void): void {
    const reading = (async () => {
      for await (const item of items) hear(item);
    })()
      .catch((error: unknown) => {
        if (!(error instanceof SolegateError)) throw error;
      })
      .finally(() => readers.delete(reading));
    readers.add(reading);
  }
}
