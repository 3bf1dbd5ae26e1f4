import {
  type BoundedDatabase,
  Deadline,
  PostgresFailure,
  repeat,
  type SqlSession,
  settleBy,
} from '@solegate/postgres-infra';
import type { Settings } from '../contract/checks.js';
import { BusyError } from '../contract/numbering-error.js';
import type { DocumentFormat, Series } from '../contract/series.js';
import { UnknownSeriesError } from '../contract/series-error.js';
import { CompiledFormat } from '../format/compiled-format.js';
import { ZoneCalendar } from '../format/period.js';
import type { SeriesFormat } from '../format/read-number.js';
import type { TokenRegistry } from '../format/token.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { callFunction, selectRows } from '../sql/rows.js';
import { inParallel } from './parallel.js';

/** A {@link Series} in SQL; `s` is document_number_series. */
const seriesColumns = `s.id::text, s.space, s.code AS series, s.dimensions, s.reset, s.time_zone AS "timeZone",
  s.fiscal_start_month AS "fiscalStartMonth", s.fiscal_year_named_by AS "fiscalYearNamedBy",
  s.start_at::float8 AS "startAt", s.date_order AS "dateOrder", s.closed_until::text AS "closedUntil",
  s.open_until::text AS "openUntil", s.end_at::float8 AS "endAt", s.blocked,
  s.authority_code AS "authorityCode",
  CASE WHEN s.manual_first IS NOT NULL
    THEN json_build_object('first', s.manual_first, 'last', s.manual_last) END AS "manualInterval",
  s.identity::text, s.revision::float8`;

const SELECT_SERIES = `
SELECT ${seriesColumns}
FROM document_number_series s
WHERE ($1::text IS NULL OR s.space = $1) AND ($2::text IS NULL OR s.code = $2)
ORDER BY s.space, s.code`;

export async function listSeries(
  session: SqlSession,
  { space, series }: { readonly space?: string; readonly series?: string } = {},
): Promise<Series[]> {
  return selectRows<Series>(session, SELECT_SERIES, [space ?? null, series ?? null]);
}

/** A series with everything that resolving a request needs, compiled once. */
export interface CatalogEntry {
  readonly series: Series;
  /** Newest version first. */
  readonly formats: readonly CompiledFormat[];
  readonly calendar: ZoneCalendar;
}

export interface CatalogOptions extends Settings {
  readonly database: BoundedDatabase;
  readonly registry: TokenRegistry;
}

interface Reading {
  readonly entry: Promise<CatalogEntry>;
  hasBegun: boolean;
}

/** Series and formats in memory. Can be out of date: a draw checks the revision, and a refusal reads them again. */
export class SeriesCatalog {
  readonly #entries = new Map<string, CatalogEntry>();
  /** The last reading of each series. */
  readonly #readings = new Map<string, Reading>();
  readonly #options: CatalogOptions;
  /** By space and series, separated by a line break. */
  readonly entries: ReadonlyMap<string, CatalogEntry> = this.#entries;

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /**
   * Reads it again; concurrent callers share a reading, each until its own deadline. One that has begun might not see what
   * was changed before this call: the next begins after it.
   *
   * @throws UnknownSeriesError, PostgresFailure
   */
  reload(space: string, series: string, deadline: Deadline): Promise<CatalogEntry> {
    const late = () => new PostgresFailure('UNAVAILABLE', 'the series was not read before the deadline');
    const last = this.#readings.get(`${space}\n${series}`);
    const reading = last && !last.hasBegun ? last : this.#readAfter(last?.entry, space, series);
    return settleBy(reading.entry, deadline, late);
  }

  #readAfter(last: Promise<unknown> | undefined, space: string, series: string): Reading {
    const key = `${space}\n${series}`;
    const { database, requestTimeoutMs, random } = this.#options;
    const read = async () => {
      reading.hasBegun = true;
      const deadline = Deadline.after(requestTimeoutMs);
      const load = () => this.load(database.reading(deadline), space, series);
      try {
        const entry = await repeat(load, { deadline, random });
        this.#entries.set(key, entry);
        return entry;
      } finally {
        if (this.#readings.get(key) === reading) this.#readings.delete(key);
      }
    };
    const reading: Reading = { entry: Promise.resolve(last).then(read, read), hasBegun: false };
    this.#readings.set(key, reading);
    return reading;
  }

  /** Reads it through a given session, bypassing memory. @throws UnknownSeriesError */
  async load(session: SqlSession, space: string, series: string): Promise<CatalogEntry> {
    const [rules] = await listSeries(session, { space, series });
    if (!rules) throw new UnknownSeriesError(space, series);
    const formats = (await listFormats(session, { space, series })).reverse();
    return {
      series: rules,
      formats: formats.map((facts) => new CompiledFormat(facts, this.#options.registry)),
      calendar: new ZoneCalendar(rules.timeZone),
    };
  }
}

const SELECT_FORMATS = `
SELECT f.id::text, s.space, s.code AS series, f.version, f.template, f.description, f.overflow,
  nullif(f.valid_from, '-infinity')::text AS "validFrom",
  (SELECT (min(n.valid_from) - 1)::text FROM document_number_formats n
   WHERE n.series_id = f.series_id AND n.version > f.version AND n.withdrawn_at IS NULL) AS "validUntil",
  f.created_by AS "createdBy", f.created_at AS "createdAt"
FROM document_number_formats f
JOIN document_number_series s ON s.id = f.series_id
WHERE f.withdrawn_at IS NULL AND ($1::text IS NULL OR s.space = $1) AND ($2::text IS NULL OR s.code = $2)
ORDER BY s.space, s.code, f.version`;

/** Codes by token name that are the same in all numbers of a series. */
export type FixedCodes = Readonly<Record<string, string>>;

export interface SpaceOptions {
  readonly call: DatabaseCall;
  readonly registry: TokenRegistry;
  readonly fixedCodes: (series: Series) => Promise<FixedCodes>;
}

/** Locks the definitions of a number space until the end of the transaction, and returns its series. */
export async function lockSpace(session: SqlSession, space: string): Promise<readonly Series[]> {
  await callFunction(session, 'document_number_lock_space_v1($1)', [space]);
  return listSeries(session, { space });
}

/** Does the same for one of its series. @throws UnknownSeriesError */
export async function lockSeries(
  session: SqlSession,
  space: string,
  code: string,
): Promise<{ readonly all: readonly Series[]; readonly series: Series }> {
  const all = await lockSpace(session, space);
  const series = all.find((one) => one.series === code);
  if (!series) throw new UnknownSeriesError(space, code);
  return { all, series };
}

/** Lists formats in order of their versions, without withdrawn ones. */
export async function listFormats(
  session: SqlSession,
  { space, series }: { readonly space?: string; readonly series?: string } = {},
): Promise<DocumentFormat[]> {
  const values = [space ?? null, series ?? null];
  return selectRows<DocumentFormat>(session, SELECT_FORMATS, values);
}

/** Called before the transaction begins: the app's directory might need a connection too. */
export async function codesOfSpace(
  space: string,
  { call, fixedCodes }: SpaceOptions,
): Promise<ReadonlyMap<string, FixedCodes>> {
  const codes = new Map<string, FixedCodes>();
  await inParallel(await listSeries(call.reading, { space }), async (series) => {
    codes.set(series.id, await fixedCodes(series));
  });
  return codes;
}

export function codesOf(codes: ReadonlyMap<string, FixedCodes>, { id }: Series): FixedCodes {
  const found = codes.get(id);
  // The series was defined after the codes were looked up.
  if (!found) throw new BusyError();
  return found;
}

export interface SpaceFacts {
  readonly all: readonly Series[];
  readonly registry: TokenRegistry;
  readonly codes: ReadonlyMap<string, FixedCodes>;
}

/** Formats with their series, newest first within each. */
export function toSeriesFormats(
  formats: readonly DocumentFormat[],
  { all, registry, codes }: SpaceFacts,
): SeriesFormat[] {
  return all.flatMap((series) => {
    const own = formats.filter((format) => format.series === series.series).reverse();
    const fixedCodes = codesOf(codes, series);
    return own.map((facts) => ({ series, format: new CompiledFormat(facts, registry), fixedCodes }));
  });
}

/** What is defined in a number space. */
export interface LoadedSpace {
  /** A format that is saved raises the revision of its series. */
  readonly all: readonly Series[];
  readonly formats: readonly SeriesFormat[];
}

/** Returns all series of a number space, and their current formats: at least those of the revisions. */
export async function loadSpace(space: string, options: SpaceOptions): Promise<LoadedSpace> {
  const session = options.call.reading;
  const codes = await codesOfSpace(space, options);
  const all = (await listSeries(session, { space })).filter(({ id }) => codes.has(id));
  const formats = toSeriesFormats(await listFormats(session, { space }), { ...options, all, codes });
  return { all, formats };
}

/** Locks a number space as {@link lockSpace} does. @throws BusyError if anything was defined since it was loaded */
export async function lockLoadedSpace(
  session: SqlSession,
  space: string,
  loaded: Pick<LoadedSpace, 'all'>,
): Promise<void> {
  const revisionsOf = (all: readonly Series[]) => all.map(({ id, revision }) => `${id} ${revision}`).join();
  if (revisionsOf(await lockSpace(session, space)) !== revisionsOf(loaded.all)) throw new BusyError();
}
