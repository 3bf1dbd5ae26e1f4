import { type DocumentFormat, type Numbering, periodOf, type Series } from '@solegate/doc-numbering';
import { CounterEntity, NumberEntity, type NumberRecord } from '@solegate/doc-numbering/typeorm';
import DataLoader from 'dataloader';
import type { RunningCell } from '../../cells/cell.js';
import { PerRequest, type RequestContext } from '../../graphql/request-context.js';
import type { MasterData } from '../../master-data/master-data.js';
import type { DocumentNumberCounter } from './document-number-counter.type.js';

const DAY_MS = 86_400_000;
/** The last date that can be written with a four-digit year. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** The capacity of a counter, and when it will be used up. */
export class CounterOutlook {
  readonly #series: BySpace<Series>;
  readonly #formats: BySpace<DocumentFormat>;
  readonly #firstNumbers: PerRequest<DataLoader<DocumentNumberCounter, NumberRecord | undefined, string>>;

  constructor(
    numbering: Numbering,
    data: MasterData,
    private readonly now: () => number,
  ) {
    this.#series = bySpace((filter) => numbering.listSeries(filter));
    this.#formats = bySpace((filter) => numbering.listFormats(filter));
    const cacheKeyFn = ({ space, counterId }: DocumentNumberCounter) => `${space} ${counterId}`;
    this.#firstNumbers = new PerRequest(
      () => new DataLoader((counters) => data.findEach(counters, firstNumbersOf), { cacheKeyFn }),
    );
  }

  /** Returns the last number that can be issued, given the format width, `endAt` and the manual interval. */
  async limitOf(counter: DocumentNumberCounter, context: RequestContext): Promise<number | undefined> {
    const { lastNumber, widthUsed } = counter;
    const [series, formats] = await Promise.all([
      this.#seriesOf(counter, context),
      this.#formats.of(context).load(counter.space),
    ]);
    const newest = formats.findLast((one) => one.series === counter.series);
    const limits = [
      widthUsed && newest?.overflow === 'error' ? Math.round(lastNumber / widthUsed) : undefined,
      series?.endAt,
      series?.manualInterval === undefined ? undefined : series.manualInterval.first - 1,
    ].filter((limit) => limit !== undefined);
    return limits.length === 0 ? undefined : Math.min(...limits);
  }

  /** Returns the average numbers per day since the first one; the first day counts in full. */
  async perDayOf(counter: DocumentNumberCounter, context: RequestContext): Promise<number | undefined> {
    const first = await this.#firstNumbers.of(context).load(counter);
    if (first === undefined) return undefined;
    const days = Math.max(1, (this.now() - first.issuedAt.getTime()) / DAY_MS);
    return (counter.lastNumber - Number(first.sequence) + 1) / days;
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
}

/** Loads the first numbers of counters in one query. */
async function firstNumbersOf({ database }: RunningCell, counters: readonly DocumentNumberCounter[]) {
  const numbers = await database.dataSource
    .getRepository(NumberEntity)
    .createQueryBuilder('n')
    .innerJoin(CounterEntity.options.name, 'c', 'c.id = n.counterId AND c.firstNumber = n.sequence')
    .where('c.id IN (:...ids)', { ids: counters.map(({ counterId }) => counterId) })
    .getMany();
  const byCounter = new Map(numbers.map((number) => [number.counterId, number]));
  return counters.map(({ counterId }) => byCounter.get(counterId));
}

type BySpace<Row> = PerRequest<DataLoader<string, readonly Row[]>>;

/** Loads the rows of all spaces of a page in one query. */
function bySpace<Row extends { readonly space: string }>(
  list: (filter: { readonly space?: string }) => Promise<readonly Row[]>,
): BySpace<Row> {
  const load = async (spaces: readonly string[]) => {
    const [space] = spaces;
    const all = await list(spaces.length === 1 && space !== undefined ? { space } : {});
    return spaces.map((one) => all.filter((row) => row.space === one));
  };
  return new PerRequest(() => new DataLoader(load));
}
