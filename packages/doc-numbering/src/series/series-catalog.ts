import { type BoundedDatabase, Deadline, repeat, type SqlSession } from '@solegate/postgres-infra';
import { UnknownSeriesError } from '../contract/numbering-error.js';
import type { Overflow, Series } from '../contract/series.js';
import { CompiledFormat } from '../format/compiled-format.js';
import { ZoneCalendar } from '../format/period.js';
import type { TokenRegistry } from '../format/token.js';
import { type SeriesRow, toSeries } from './series-row.js';

const selectSeries = `
SELECT s.*, s.closed_until::text, s.open_until::text,
  (SELECT json_agg(json_build_object('version', f.version, 'template', f.template, 'overflow', f.overflow,
     'validFrom', f.valid_from::text) ORDER BY f.version DESC)
   FROM document_number_formats f WHERE f.series_id = s.id AND f.withdrawn_at IS NULL) AS formats
FROM document_number_series s
WHERE s.space = $1 AND s.code = $2`;

interface CatalogRow extends SeriesRow {
  readonly formats:
    | readonly {
        readonly version: number;
        readonly template: string;
        readonly overflow: Overflow;
        readonly validFrom: string;
      }[]
    | null;
}

/** A series with everything that resolving a request needs, compiled once. */
export interface CatalogEntry {
  readonly series: Series;
  /** Newest version first. */
  readonly formats: readonly CompiledFormat[];
  readonly calendar: ZoneCalendar;
}

export interface CatalogOptions {
  readonly database: BoundedDatabase;
  readonly registry: TokenRegistry;
  readonly requestTimeoutMs: number;
  readonly random: () => number;
}

/**
 * Series and formats in memory. An entry may be out of date: the statement that draws a number compares the revision and
 * refuses an older one, and whoever is refused by an entry's rules looks again first (`reload`).
 */
export class SeriesCatalog {
  readonly #entries = new Map<string, CatalogEntry>();
  readonly #loading = new Map<string, Promise<CatalogEntry>>();
  readonly #registry: TokenRegistry;
  readonly #options: CatalogOptions;

  constructor(options: CatalogOptions) {
    this.#registry = options.registry;
    this.#options = options;
  }

  /** The entry in memory, if there is one. */
  peek(space: string, series: string): CatalogEntry | undefined {
    return this.#entries.get(`${space}\n${series}`);
  }

  /** @throws UnknownSeriesError */
  async get(space: string, series: string): Promise<CatalogEntry> {
    return this.peek(space, series) ?? (await this.reload(space, series));
  }

  /** Reads it again; callers at the same time share one statement. @throws UnknownSeriesError */
  reload(space: string, series: string): Promise<CatalogEntry> {
    const key = `${space}\n${series}`;
    const underWay = this.#loading.get(key);
    if (underWay) return underWay;
    const { database, requestTimeoutMs, random } = this.#options;
    const deadline = Deadline.after(requestTimeoutMs);
    const load = () => this.load(database.changing(deadline), space, series);
    const loading = repeat(load, { deadline, random })
      .then((entry) => {
        this.#entries.set(key, entry);
        return entry;
      })
      .finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  /** Reads it through a given session, past the memory. @throws UnknownSeriesError */
  async load(session: SqlSession, space: string, series: string): Promise<CatalogEntry> {
    const { rows } = await session.query({ text: selectSeries, values: [space, series] });
    const [row] = rows as CatalogRow[];
    if (!row) throw new UnknownSeriesError(space, series);
    const formats = (row.formats ?? []).map((facts) => new CompiledFormat(facts, this.#registry));
    return {
      series: toSeries(row),
      formats,
      calendar: new ZoneCalendar(row.time_zone),
    };
  }
}
