import { type Batch, type BatchLine, placesOf, type Standing, waitedMs } from './batch.js';
import type { Guard } from './issue-request.js';
import type { DrawnNumbers, PendingIssue } from './pending-issue.js';

/** A ledger row that was found under an idempotency key. */
export interface ReplayRow {
  /** Place of the number among all numbers of the batch, from 1. */
  readonly position: number;
  readonly counter_id: string | number;
  readonly sequence: number;
  readonly number: string;
  readonly period: string;
  readonly date: string;
  readonly format_version: number | null;
  readonly guard: Guard | null;
  readonly waited_ms: number | null;
  readonly retry_count: number | null;
  readonly id: string | null;
  readonly fingerprint: string | null;
  readonly reservation: string | null;
  readonly expires_ms: number | null;
}

/** A row that a draw statement answers with: where a counter stood, or a replay. */
export interface ReplyRow {
  readonly id: string;
  readonly last_number: string;
  readonly version: string;
  readonly last_date: string | null;
  readonly revision: string;
  readonly granted: boolean;
  readonly now_ms: string | null;
  readonly replay: ReplayRow | null;
}

/** How one counter answered. */
export interface LineReply {
  readonly line: BatchLine;
  /** Numbers were drawn, or every request was answered from the ledger. */
  readonly isGranted: boolean;
  /** Where the counter stands now. */
  readonly standing: Standing;
  readonly lastDate: string | undefined;
  readonly revision: number;
  readonly drawn: ReadonlyMap<PendingIssue, DrawnNumbers>;
  /** Rows by the request whose key was used before, in order of their parts. */
  readonly replays: ReadonlyMap<PendingIssue, readonly ReplayRow[]>;
  /** Requests whose document could not be written, with the writer's error. */
  readonly failed: ReadonlyMap<PendingIssue, unknown>;
}

const none = new Map<PendingIssue, never>();

export function readReplies(batch: Batch, rows: readonly ReplyRow[]): LineReply[] {
  const replayByPosition = new Map<number, ReplayRow>();
  const rowById = new Map<string, ReplyRow>();
  for (const row of rows) {
    if (row.replay) replayByPosition.set(row.replay.position, row.replay);
    else rowById.set(String(row.id), row);
  }
  const replaysOf = new Map<PendingIssue, ReplayRow[]>();
  if (replayByPosition.size > 0) {
    for (const { issue, position } of placesOf(batch)) {
      const parts = Array.from({ length: issue.count }, (_, part) => replayByPosition.get(position + part));
      const found = parts.filter((row) => row !== undefined);
      if (found.length > 0) replaysOf.set(issue, found);
    }
  }
  return batch.lines.map((line) => {
    const row = rowById.get(line.counterId);
    if (!row) throw new Error(`PostgreSQL has no counter ${line.counterId}, though it was opened`);
    const replays = replaysOf.size === 0 ? none : replaysFor(line, replaysOf);
    return readLine({ batch, line, row, replays });
  });
}

function replaysFor(
  { issues }: BatchLine,
  replays: ReadonlyMap<PendingIssue, ReplayRow[]>,
): ReadonlyMap<PendingIssue, ReplayRow[]> {
  const found = issues.map((issue) => [issue, replays.get(issue) ?? []] as const);
  return new Map(found.filter(([, rows]) => rows.length > 0));
}

interface LineFacts {
  readonly batch: Batch;
  readonly line: BatchLine;
  readonly row: ReplyRow;
  readonly replays: ReadonlyMap<PendingIssue, readonly ReplayRow[]>;
}

function readLine({ batch, line, row, replays }: LineFacts): LineReply {
  const drawn = new Map<PendingIssue, DrawnNumbers>();
  const base = Number(row.last_number);
  let last = base;
  if (row.granted) {
    for (const issue of line.issues) {
      if (replays.has(issue)) continue;
      drawn.set(issue, drawnNumbers({ batch, line, issue, first: last + 1, nowMs: Number(row.now_ms) }));
      last += issue.count;
    }
  }
  const version = Number(row.version) + (row.granted ? 1 : 0);
  return {
    line,
    isGranted: row.granted || replays.size === line.issues.length,
    standing: { version, last },
    lastDate: row.last_date ?? undefined,
    revision: Number(row.revision),
    drawn,
    replays,
    failed: none,
  };
}

interface DrawnFacts {
  readonly batch: Batch;
  readonly line: BatchLine;
  readonly issue: PendingIssue;
  readonly first: number;
  readonly nowMs: number;
}

/** The same texts that the statement stored. */
export function drawnNumbers({ batch, line, issue, first, nowMs }: DrawnFacts): DrawnNumbers {
  const { resolved, facts } = issue;
  const { format, affixes } = resolved;
  const numbers: string[] = [];
  for (let part = 0; part < issue.count; part += 1) numbers.push(format.render(affixes, first + part));
  return {
    counterId: line.counterId,
    first,
    numbers,
    period: resolved.period,
    date: resolved.date,
    formatVersion: format.facts.version,
    id: facts.id,
    replayed: false,
    guard: line.expected ? 'redis+version' : 'row',
    waitedMs: waitedMs(batch, issue),
    retryCount: line.retryCount,
    reservation: facts.reservation && {
      token: facts.reservation.token,
      expiresMs: nowMs + facts.reservation.holdMs,
    },
  };
}

/** Numbers that a key got before. */
export function replayedNumbers(rows: readonly ReplayRow[]): DrawnNumbers | undefined {
  const [row] = rows;
  if (!row) return undefined;
  return {
    counterId: String(row.counter_id),
    first: row.sequence,
    numbers: rows.map(({ number }) => number),
    period: row.period,
    date: row.date,
    formatVersion: row.format_version ?? 0,
    id: row.id ?? undefined,
    replayed: true,
    guard: row.guard ?? 'row',
    waitedMs: row.waited_ms ?? 0,
    retryCount: row.retry_count ?? 0,
    reservation:
      row.reservation === null ? undefined : { token: row.reservation, expiresMs: Number(row.expires_ms) },
  };
}
