import type { SeriesAddress } from './issue-request.js';

/** A number that another system issued. Its `date` is needed and may lie in any open period. */
export interface ImportedNumber extends Omit<SeriesAddress, 'space' | 'otherPeriod'> {
  readonly sequence: number;
  readonly date: string | Date;
  /** Text as it was printed. Default: rendered by the format valid on the date. */
  readonly number?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly document?: string;
  readonly id?: bigint | string;
}

export interface ImportRequest {
  readonly space: string;
  readonly rows: readonly ImportedNumber[];
  /** Sequences that the rows leave out below their highest: `refuse`, or `record` as `cancelled` rows. Default `refuse`. */
  readonly holes?: 'refuse' | 'record';
  /** Check and count, store nothing. Default `false`. */
  readonly dryRun?: boolean;
  readonly actor: string;
  readonly reason?: string;
  /** How long all of it may take. 1,000 to 86,400,000. Default 600,000 (ten minutes). */
  readonly timeoutMs?: number;
}

export interface ImportProblem {
  /** Index in `rows`; absent for a hole. */
  readonly row: number | undefined;
  readonly code: string;
  readonly message: string;
}

export interface ImportReport {
  /** True when the rows are stored; false after a dry run or when there are problems. */
  readonly imported: boolean;
  readonly rowCount: number;
  readonly recordedHoleCount: number;
  /** The first 100 problems. Any problem means that nothing was stored. */
  readonly problems: readonly ImportProblem[];
  readonly problemCount: number;
  readonly counters: readonly {
    readonly counter: string;
    readonly lastNumber: number;
    readonly raisedTo: number;
  }[];
}
