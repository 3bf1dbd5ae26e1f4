import { type LedgerEntry, type Numbering, periodOf, type Series } from '@solegate/doc-numbering';
import DataLoader from 'dataloader';
import { PerRequest, type RequestContext } from '../../graphql/request-context.js';
import type { DocumentNumberCounter } from './document-number-counter.type.js';

const DAY_MS = 86_400_000;
/** The last date that can be written with a four-digit year. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** The capacity of a counter, and when it will be used up. */
export class CounterOutlook {
  readonly #series: PerRequest<DataLoader<string, readonly Series[]>>;
  readonly #firstEntries = new PerRequest(() => new Map<string, Promise<LedgerEntry | undefined>>());

  constructor(
    private readonly numbering: Numbering,
    private readonly now: () => number,
  ) {
    this.#series = new PerRequest(() => new DataLoader((spaces) => seriesOf(spaces, numbering)));
  }

  /** Returns the last number that can be issued, given the format width, `endAt` and the manual interval. */
  async limitOf(counter: DocumentNumberCounter, context: RequestContext): Promise<number | undefined> {
    const { lastNumber, widthUsed } = counter;
    const series = await this.#seriesOf(counter, context);
    const limits = [
      widthUsed ? Math.round(lastNumber / widthUsed) : undefined,
      series?.endAt,
      series?.manualInterval === undefined ? undefined : series.manualInterval.first - 1,
    ].filter((limit) => limit !== undefined);
    return limits.length === 0 ? undefined : Math.min(...limits);
  }

  /** Returns the average numbers per day since the first one; the first day counts in full. */
  async perDayOf(
    { counterId, lastNumber, space }: DocumentNumberCounter,
    context: RequestContext,
  ): Promise<number | undefined> {
    const asked = this.#firstEntries.of(context);
    const asking = asked.get(counterId) ?? this.#firstEntryOf(counterId, space);
    asked.set(counterId, asking);
    const first = await asking;
    if (first === undefined) return undefined;
    const days = Math.max(1, (this.now() - first.issuedAt.getTime()) / DAY_MS);
    return (lastNumber - first.sequence + 1) / days;
  }

  /** Estimates when the last number will be issued at the current rate; undefined if its period ends before that. */
  async fullOnOf(counter: DocumentNumberCounter, context: RequestContext): Promise<Date | undefined> {
    const [limit, perDay, series] = await Promise.all([
      this.limitOf(counter, context),
      this.perDayOf(counter, context),
      this.#seriesOf(counter, context),
    ]);
    if (limit === undefined || perDay === undefined || perDay <= 0 || series === undefined) return undefined;
    const atMs = this.now() + (Math.max(0, limit - counter.lastNumber) / perDay) * DAY_MS;
    if (atMs > LAST_MS) return undefined;
    const date = new Intl.DateTimeFormat('en-CA', { timeZone: series.timeZone }).format(atMs);
    return periodOf(date, series) === counter.period ? new Date(atMs) : undefined;
  }

  async #seriesOf(counter: DocumentNumberCounter, context: RequestContext): Promise<Series | undefined> {
    const all = await this.#series.of(context).load(counter.space);
    return all.find((one) => one.series === counter.series);
  }

  async #firstEntryOf(counterId: string, space: string): Promise<LedgerEntry | undefined> {
    const { items } = await this.numbering.listNumbers({ counterId, space }, { first: 1 });
    return items[0]?.item;
  }
}

/** Loads the series of all spaces of a page in one query. */
async function seriesOf(spaces: readonly string[], numbering: Numbering): Promise<readonly Series[][]> {
  const [space] = spaces;
  const all = await numbering.listSeries(spaces.length === 1 && space !== undefined ? { space } : {});
  return spaces.map((one) => all.filter((series) => series.space === one));
}
