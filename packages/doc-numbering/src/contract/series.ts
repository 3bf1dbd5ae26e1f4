/** When a counter starts again, from the business date in the time zone of the series. Weeks are those of ISO 8601. */
export type Reset = 'never' | 'year' | 'fiscal_year' | 'quarter' | 'month' | 'week' | 'day';

/** One code that distinguishes the counters of a series. */
export interface SeriesDimension {
  /** Token that prints it, for example `ORG` or `DISCIPLINE`. */
  readonly token: string;
  /** Code that stands for "none" when a request leaves the dimension out. Default: it must be given. */
  readonly none?: string;
}

/** A series as it is stored. Rules that are not marked are fixed once the series has a counter. */
export interface Series {
  readonly id: string;
  readonly space: string;
  /** Code of the series, printed by `{TYPE}`. */
  readonly series: string;
  /** None: the series has one counter a period. */
  readonly dimensions: readonly SeriesDimension[];
  readonly reset: Reset;
  /** IANA name, for example `Asia/Bangkok`. It decides what "today" is. */
  readonly timeZone: string;
  /** First month of the fiscal year, 1 to 12; the Thai government's is 10. */
  readonly fiscalStartMonth: number;
  /** Whether `{FISCAL_YEAR}` prints the year it starts in or ends in. */
  readonly fiscalYearNamedBy: 'start' | 'end';
  /** First number of every counter. */
  readonly startAt: number;
  /** Refuse a business date earlier than the last one of the counter. Can change. */
  readonly dateOrder: boolean;
  /** Dates up to and including this one are closed, `YYYY-MM-DD`. Can change. */
  readonly closedUntil: string | undefined;
  /** Dates after this one are not open yet, `YYYY-MM-DD`. Can change. */
  readonly openUntil: string | undefined;
  /** Last number of every counter, such as the end of an authorised range; absent: what the format holds. Can change. */
  readonly endAt: number | undefined;
  /** What an authority has named the series, such as a Portuguese validation code; `{AUTHORITY}` prints it. Can change. */
  readonly authorityCode: string | undefined;
  /** Why nobody may draw from the series, for example "replaced by RFI". Can change. */
  readonly blocked: string | undefined;
  /** Sequences that only `assign` hands out; the counter ends below them. */
  readonly manualInterval: { readonly first: number; readonly last: number } | undefined;
  /** Distinguishes it from a series of the same name in another database. */
  readonly identity: string;
  /** Grows with every change of the rules or formats; a draw under an older revision is repeated. */
  readonly revision: number;
}

/** Rules for a series. Defaults: no dimensions, reset by year, fiscal year from January named by its start, from 1; else off. */
export interface SeriesDefinition
  extends Partial<
    Omit<Series, 'id' | 'space' | 'series' | 'dimensions' | 'timeZone' | 'identity' | 'revision'>
  > {
  readonly space: string;
  readonly series: string;
  readonly timeZone: string;
  readonly dimensions?: readonly (string | SeriesDimension)[];
  /** Primary key of the series' row. Default: made by PostgreSQL. */
  readonly id?: bigint | string;
  /** Who defines it; kept among the events. */
  readonly actor: string;
  /** The revision that the change was made for; at another the change is refused (SERIES_CHANGED). Default: any. */
  readonly expectedRevision?: number;
}

/** What happens at the first number that does not fit the width of `{SEQ:n}`. */
export type Overflow = 'error' | 'widen';

/** Which series is changed, and who does it. */
interface SeriesChange {
  readonly space: string;
  readonly series: string;
  readonly actor: string;
}

/** The next version of a format. */
export interface SaveFormatRequest extends SeriesChange {
  /** For example `{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}`. */
  readonly template: string;
  /** `error` refuses the number, `widen` prints more digits. Default `error`. */
  readonly overflow?: Overflow;
  /** First business date it holds for, `YYYY-MM-DD`. Default: today in the time zone of the series; for the first version: always. */
  readonly validFrom?: string;
  /** Primary key of the row. Default: made by PostgreSQL. */
  readonly id?: bigint | string;
  /** Check it against everything that is there, and store nothing; what is returned has no `id`. Default `false`. */
  readonly dryRun?: boolean;
}

/** What series of a space begin with that have no format of their own. */
export type DefaultFormatRequest = Pick<SaveFormatRequest, 'space' | 'template' | 'overflow' | 'actor'>;

/** Which version of a format is taken back. */
export interface WithdrawFormatRequest extends SeriesChange {
  readonly version: number;
}

/** One immutable version of a format. It holds until the next version's `validFrom`. */
export interface DocumentFormat {
  readonly id: string;
  readonly space: string;
  readonly series: string;
  /** 1, 2, 3 … inside the series. */
  readonly version: number;
  readonly template: string;
  readonly overflow: Overflow;
  /** First business date, absent for a version that holds from ever. */
  readonly validFrom: string | undefined;
  /** Last business date, absent while no later version ends it. */
  readonly validUntil: string | undefined;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** A number read back into its parts. */
export interface ParsedNumber {
  readonly number: string;
  readonly series: string;
  readonly formatVersion: number;
  readonly sequence: number;
  /** Printed text by token name, for example `{ ORG: 'PAT', YEAR: '2026' }`. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Period of its counter where the printed tokens say it. */
  readonly period: string | undefined;
}

/** Which series' closed periods are archived. */
export interface ArchiveRequest extends SeriesChange {
  /** How long all of it may take. 1,000 to 86,400,000. Default 600,000 (ten minutes). */
  readonly timeoutMs?: number;
}

/** What this call archived; both are 0 when nothing was left to do. */
export interface ArchiveReport {
  readonly counterCount: number;
  readonly numberCount: number;
}
