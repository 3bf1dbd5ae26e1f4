import { type BoundedDatabase, Deadline, repeat, type SqlSession } from '@solegate/postgres-infra';
import type { Series } from '../contract/series.js';
import { UnknownSeriesError } from '../contract/series-error.js';
import { CompiledFormat, type FormatVersion } from '../format/compiled-format.js';
import { ZoneCalendar } from '../format/period.js';
import type { TokenRegistry } from '../format/token.js';
import { rowsOf } from '../sql/rows.js';

/** A {@link Series} in SQL; `s` is document_number_series. */
export const seriesColumns = `s.id::text, s.space, s.code AS series, s.dimensions, s.reset, s.time_zone AS "timeZone",
  s.fiscal_start_month AS "fiscalStartMonth", s.fiscal_year_named_by AS "fiscalYearNamedBy",
  s.start_at::float8 AS "startAt", s.date_order AS "dateOrder", s.closed_until::text AS "closedUntil",
  s.open_until::text AS "openUntil", s.end_at::float8 AS "endAt", s.blocked,
  CASE WHEN s.manual_first IS NOT NULL
    THEN json_build_object('first', s.manual_first, 'last', s.manual_last) END AS "manualInterval",
  s.identity::text, s.revision::float8`;

const SELECT_SPACE = `
SELECT ${seriesColumns}
FROM document_number_series s
WHERE $1::text IS NULL OR s.space = $1
ORDER BY s.space, s.code`;

export async function listSeries(
  session: SqlSession,
  { space = null }: { readonly space?: string | null } = {},
): Promise<Series[]> {
  return rowsOf<Series>(await session.query({ text: SELECT_SPACE, values: [space] }));
}

const SELECT_SERIES = `
SELECT ${seriesColumns},
  (SELECT json_agg(json_build_object('version', f.version, 'template', f.template, 'overflow', f.overflow,
     'validFrom', f.valid_from::text) ORDER BY f.version DESC)
   FROM document_number_formats f WHERE f.series_id = s.id AND f.withdrawn_at IS NULL) AS formats
FROM document_number_series s
WHERE s.space = $1 AND s.code = $2`;

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
  readonly #options: CatalogOptions;
  /** By space and series, a line break between them. */
  readonly entries: ReadonlyMap<string, CatalogEntry> = this.#entries;

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** @throws UnknownSeriesError */
  async get(space: string, series: string): Promise<CatalogEntry> {
    return this.entries.get(`${space}\n${series}`) ?? (await this.reload(space, series));
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
    const found = await session.query({ text: SELECT_SERIES, values: [space, series] });
    const [row] = rowsOf<Series & { formats?: readonly FormatVersion[] }>(found);
    if (!row) throw new UnknownSeriesError(space, series);
    const { formats = [], ...rules } = row;
    return {
      series: rules,
      formats: formats.map((facts) => new CompiledFormat(facts, this.#options.registry)),
      calendar: new ZoneCalendar(rules.timeZone),
    };
  }
}
