/** What happens at the first number that does not fit the width of `{SEQ:n}`. */
export type Overflow = 'error' | 'widen';

export interface SaveFormatRequest {
  readonly space: string;
  readonly series: string;
  /** For example `{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}`. */
  readonly template: string;
  /** `error` refuses the number, `widen` prints more digits. Default `error`. */
  readonly overflow?: Overflow;
  /** First business date it holds for, `YYYY-MM-DD`. Default: today in the time zone of the series; for the first version: always. */
  readonly validFrom?: string;
  readonly actor: string;
  /** Primary key of the row. Default: made by PostgreSQL. */
  readonly id?: bigint | string;
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
  /** Period of its counter where the printed tokens tell it. */
  readonly period: string | undefined;
}
