import type { PendingIssue } from './pending-issue.js';

/** Where a counter stands. */
export interface Standing {
  readonly version: number;
  readonly last: number;
}

/** What one counter contributes to a batch. */
export interface BatchLine {
  readonly counterId: string;
  /** Draw only if the counter stands there; `undefined` draws wherever it stands. */
  readonly expected: Standing | undefined;
  /** The highest number known to have been issued. */
  readonly highWaterMark: number;
  readonly retryCount: number;
  /** In order of arrival; of one series revision, dates not falling when the series keeps date order. */
  readonly issues: readonly PendingIssue[];
}

/** Numbers that are drawn in one statement. A repeat after a lost reply has the same id and the same lines. */
export interface Batch {
  readonly id: string;
  readonly lines: readonly BatchLine[];
  /** The whole of which this is a part that is drawn by itself, in the same transaction and under the same id. */
  readonly partOf?: { readonly whole: Batch; readonly hasHead: boolean };
  /** When its statement is sent, on the clock of `arrivedMs`. */
  readonly startedMs: number;
}

/** A request's place in its batch: numbers are counted from 1 through all lines. */
export interface BatchPlace {
  readonly line: BatchLine;
  readonly issue: PendingIssue;
  /** Place of its first number. */
  readonly position: number;
}

export function placesOf(batch: Batch): BatchPlace[] {
  if (batch.partOf) {
    const part = new Map(batch.lines.flatMap((line) => line.issues.map((issue) => [issue, line] as const)));
    return placesOf(batch.partOf.whole).flatMap(({ issue, position }) => {
      const line = part.get(issue);
      return line ? [{ line, issue, position }] : [];
    });
  }
  const places: BatchPlace[] = [];
  let position = 1;
  for (const line of batch.lines) {
    for (const issue of line.issues) {
      places.push({ line, issue, position });
      position += issue.count;
    }
  }
  return places;
}

/** Whole milliseconds between a request and the statement that draws for it. */
export const waitedMs = (batch: Batch, issue: PendingIssue): number =>
  Math.max(0, Math.round(batch.startedMs - issue.arrivedMs));
