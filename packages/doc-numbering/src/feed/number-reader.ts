import { type Look, PolledFeed, type PolledFeedOptions, type ReadyFact } from '@solegate/postgres-infra';
import type { NumberFact, NumberFactKind, NumberFeed } from '../contract/feed.js';
import { FeedRewoundError, FeedTooWideError } from '../contract/feed-error.js';
import type { LedgerEntry } from '../contract/ledger-columns.js';
import type { PublicCalls } from '../sql/public-calls.js';
import { type FeedPage, PAGE, type PageQuery, type PlacedEvent, readFeedPage } from './feed-page.js';
import { CURSOR_MAX, type FeedName, FeedPosition, writeCursor } from './feed-position.js';
import { checkPosition } from './rewound.js';

const PLACE = 'document_number_place_v1($1, $2)::float8';
const PLACE_MAX = 10_000;

type Ready = ReadyFact<NumberFact>;

export interface ReaderOptions extends PolledFeedOptions {
  readonly calls: PublicCalls;
  readonly name: FeedName;
  readonly query: Omit<PageQuery, 'position' | 'startAfter'>;
  readonly narrowBy: readonly string[];
  /** Where to begin, and the server on which it was checked. */
  readonly position: FeedPosition;
  readonly server: string | undefined;
}

/** Reads the ledger page by page. See decision 0017. */
export class NumberReader extends PolledFeed<NumberFact> implements NumberFeed {
  readonly #options: ReaderOptions;
  readonly #position: FeedPosition;
  #server: string | undefined;
  /** The counter at which a full page has ended. */
  #startAfter = 0;
  #behindCount = 0;

  constructor(options: ReaderOptions) {
    super(options);
    this.#options = options;
    this.#position = options.position;
    this.#server = options.server;
  }

  get cursor(): string {
    return writeCursor(this.#options.name, this.#position);
  }

  get behindCount(): number {
    return this.#behindCount;
  }

  /** @throws NumberingError */
  protected async look(): Promise<Look<NumberFact>> {
    const { calls, query } = this.#options;
    const [position, startAfter] = [this.#position, this.#startAfter];
    const page = await calls.run((call) => readFeedPage(call.reading, { ...query, position, startAfter }));
    if (page.isTooWide) throw this.#tooWide();
    // What was read on another server, or is no longer there, has to be compared before anything follows it.
    this.#server ??= page.server;
    const isOther = this.#server !== page.server;
    if (isOther || page.isBehindReader) await this.#compare();
    if (isOther) return { ready: [], isMoreLeft: true };
    for (const id of page.strangers) position.counters.delete(id);
    if (this.#cursorAfter(page).length > CURSOR_MAX) throw this.#tooWide();
    this.#behindCount = page.newCount;
    const eventBefore = position.event;
    const ready = [...this.#readNumbers(page), ...this.#readEvents(page)];
    // The next look has the events that this places.
    if (page.isUnplaced) await this.#place();
    const isFull = page.newCount > PAGE;
    this.#startAfter = isFull ? (page.upTo.at(-1)?.[0] ?? 0) : 0;
    const hasPassedEvents = page.lastEvent !== null && (ready.length > 0 || position.event !== eventBefore);
    return { ready, isMoreLeft: isFull || page.isUnplaced || hasPassedEvents };
  }

  #tooWide(): FeedTooWideError {
    const { query, narrowBy } = this.#options;
    return new FeedTooWideError(query.space, query.series, narrowBy);
  }

  /** The cursor once the page is read, but for its digest, which is as long as any. */
  #cursorAfter({ upTo, lastEvent }: FeedPage): string {
    const after = new FeedPosition();
    for (const [id, { last, atMs }] of this.#position.counters) after.read(id, last, atMs);
    for (const [id, last] of upTo) after.read(id, last, Date.now());
    after.readEvent(lastEvent ?? this.#position.event);
    return writeCursor(this.#options.name, after);
  }

  /** @throws FeedRewoundError */
  async #compare(): Promise<void> {
    const { calls, query, name } = this.#options;
    const saved = this.#position.saved();
    const checked = await calls.run((call) => checkPosition(call.reading, query.space, saved));
    if (checked.isRewound) throw new FeedRewoundError(writeCursor(name, checked.position));
    this.#server = checked.server;
  }

  async #place(): Promise<void> {
    const { calls, query } = this.#options;
    await calls.run((call) => call.repeat(PLACE, [query.space, PLACE_MAX]));
  }

  #readNumbers({ numbers, upTo }: FeedPage): Ready[] {
    const position = this.#position;
    const ends = new Map(upTo);
    const ready = numbers.map((entry, index): Ready => {
      const id = Number(entry.counterId);
      const isLast = numbers[index + 1]?.counterId !== entry.counterId;
      // A range can end in a hole that a person has made.
      const last = isLast ? (ends.get(id) ?? entry.sequence) : entry.sequence;
      const atMs = last === entry.sequence ? entry.issuedAt.getTime() : undefined;
      const advance = () => {
        this.#behindCount = Math.max(0, this.#behindCount - 1);
        position.read(id, last, atMs);
      };
      return { fact: firstFact(entry), advance };
    });
    for (const { counterId } of numbers) ends.delete(Number(counterId));
    for (const [id, last] of ends) position.read(id, last, undefined);
    return ready;
  }

  /** An event follows the number that it is about, which a later page might have. */
  #readEvents({ events, lastEvent, upTo, manualFirst }: FeedPage): Ready[] {
    const position = this.#position;
    const ends = new Map(upTo);
    const ready: Ready[] = [];
    for (const { event, entry } of events) {
      const id = Number(entry.counterId);
      const isManual = manualFirst !== null && entry.sequence >= manualFirst;
      const last = ends.get(id) ?? position.counters.get(id)?.last ?? 0;
      if (!isManual && entry.sequence > last) return ready;
      const fact = laterFact(event, entry, isManual);
      const { position: at, id: eventId, atMs } = event;
      if (fact) ready.push({ fact, advance: () => position.readEvent({ position: at, id: eventId, atMs }) });
    }
    // Events of other numbers are passed with the last one of this feed.
    if (!lastEvent) return ready;
    const passed = ready.pop();
    if (passed) ready.push({ ...passed, advance: () => position.readEvent(lastEvent) });
    else position.readEvent(lastEvent);
    return ready;
  }
}

/** The first fact of a number. */
function firstFact(entry: LedgerEntry): NumberFact {
  const { actor, reason, issuedAt: at, expiresAt, status } = entry;
  const drawn = status === 'cancelled' ? 'SKIPPED' : 'ISSUED';
  const kind = expiresAt === undefined ? drawn : 'RESERVED';
  return { kind, entry, actor, reason, at, replacedBy: undefined };
}

const LATER_KINDS: Readonly<Record<string, NumberFactKind>> = {
  reservation_confirmed: 'CONFIRMED',
  reservation_cancelled: 'CANCELLED',
  number_voided: 'VOIDED',
};

/** The fact of an event, if it is one of a feed. Assigned numbers outside the manual interval have their place in their counter. */
function laterFact(event: PlacedEvent, entry: LedgerEntry, isManual: boolean): NumberFact | undefined {
  const kind = event.type === 'number_assigned' && isManual ? 'ISSUED' : LATER_KINDS[event.type];
  if (kind === undefined) return undefined;
  const { actor, reason, replacedBy, atMs } = event;
  const more = { reason: reason ?? undefined, replacedBy: replacedBy ?? undefined };
  return { kind, entry, actor, at: new Date(atMs), ...more };
}
