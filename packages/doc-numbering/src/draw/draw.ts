import type { SqlSession } from '@solegate/postgres-infra';
import type { Guard, NumberStatus } from '../contract/issue-request.js';
import {
  type Batch,
  type Draft,
  type DraftReply,
  type DrawnNumbers,
  type PendingIssue,
  positionsOf,
  type Replay,
  waitedMs,
} from './draft.js';
import { drawRun } from './draw-run-statement.js';
import { drawStatementFor } from './draw-statement.js';

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
  readonly status: NumberStatus;
  readonly expires_ms: number | null;
}

/** A row that a draw statement answers with: where a counter stood, a replay, or without an `id` the server alone. */
interface ReplyRow {
  readonly id: string | null;
  readonly last_number: string;
  readonly version: string;
  readonly last_date: string | null;
  readonly revision: string;
  readonly granted: boolean;
  readonly now_ms: string | null;
  readonly server: string | null;
  readonly replay: ReplayRow | null;
}

/**
 * Draws a batch: one round trip, committed by itself when the session is no transaction. Every draft has its reply then.
 */
export async function draw(session: SqlSession, batch: Batch, isInTransaction: boolean): Promise<void> {
  if (isRun(batch)) {
    const { name, text, values } = drawRun;
    const { rows } = await session.query({ name, text, values: values({ batch, isInTransaction }) });
    const [row] = rows as ReplyRow[];
    if (row?.granted === true) {
      readReplies(batch, [row]);
      return;
    }
  }
  const { name, text, values } = drawStatementFor(batch);
  const { rows } = await session.query({ name, text, values: values({ batch, isInTransaction }) });
  readReplies(batch, rows as ReplyRow[]);
}

/** One counter that is waited for, everything printed alike, and nobody has a key or a reservation. */
function isRun({ drafts, partOf, rowWaitMs }: Batch): boolean {
  const [draft, ...others] = drafts;
  const resolved = draft?.issues[0]?.resolved;
  if (!draft || partOf || others.length > 0 || rowWaitMs === undefined) return false;
  return draft.issues.every(
    (issue) =>
      issue.resolved === resolved && issue.facts.key === undefined && issue.facts.reservation === undefined,
  );
}

const NONE = new Map<PendingIssue, never>();

function readReplies(batch: Batch, rows: readonly ReplyRow[]): void {
  const rowById = new Map<string, ReplyRow>();
  const replayByPosition = new Map<number, ReplayRow>();
  let server = '';
  for (const row of rows) {
    server = row.server ?? server;
    if (row.replay) replayByPosition.set(row.replay.position, row.replay);
    else if (row.id !== null) rowById.set(String(row.id), row);
  }
  const positions = replayByPosition.size > 0 ? positionsOf(batch) : undefined;
  for (const draft of batch.drafts) {
    const replays = positions ? replaysFor(draft, positions, replayByPosition) : NONE;
    const row = rowById.get(draft.counter.counterId ?? '');
    draft.reply = row ? readReply({ batch, draft, row, replays, server }) : skipped(draft, replays, server);
  }
}

function replaysFor(
  { issues }: Draft,
  positions: ReadonlyMap<PendingIssue, number>,
  replayByPosition: ReadonlyMap<number, ReplayRow>,
): Map<PendingIssue, Replay> {
  const replays = new Map<PendingIssue, Replay>();
  for (const issue of issues) {
    const start = positions.get(issue) ?? 1;
    const parts = Array.from({ length: issue.count }, (_, part) => replayByPosition.get(start + part));
    const replay = readReplay(parts.filter((row) => row !== undefined));
    if (replay) replays.set(issue, replay);
  }
  return replays;
}

function skipped({ counter }: Draft, replays: ReadonlyMap<PendingIssue, Replay>, server: string): DraftReply {
  const position = counter.position ?? { version: 0, last: 0 };
  const known = { lastDate: undefined, revision: 0, drawn: NONE, failed: NONE };
  return { kind: 'SKIPPED', server, position, replays, ...known };
}

interface ReplyFacts {
  readonly batch: Batch;
  readonly draft: Draft;
  readonly row: ReplyRow;
  readonly replays: ReadonlyMap<PendingIssue, Replay>;
  readonly server: string;
}

function readReply({ batch, draft, row, replays, server }: ReplyFacts): DraftReply {
  const drawn = new Map<PendingIssue, DrawnNumbers>();
  let last = Number(row.last_number);
  if (row.granted) {
    for (const issue of draft.issues) {
      if (replays.has(issue)) continue;
      drawn.set(issue, drawnNumbers({ batch, draft, issue, first: last + 1, nowMs: Number(row.now_ms) }));
      last += issue.count;
    }
  }
  const version = Number(row.version) + (row.granted ? 1 : 0);
  return {
    kind: row.granted || replays.size === draft.issues.length ? 'GRANTED' : 'REFUSED',
    server,
    position: { version, last },
    lastDate: row.last_date ?? undefined,
    revision: Number(row.revision),
    drawn,
    replays,
    failed: NONE,
  };
}

interface DrawnFacts {
  readonly batch: Batch;
  readonly draft: Draft;
  readonly issue: PendingIssue;
  readonly first: number;
  readonly nowMs: number;
}

/** The same texts that the statement stored. */
export function drawnNumbers({ batch, draft, issue, first, nowMs }: DrawnFacts): DrawnNumbers {
  const { resolved, facts, count } = issue;
  const { format, affixes } = resolved;
  const numbers: string[] = [];
  for (let part = 0; part < count; part += 1) numbers.push(format.render(affixes, first + part));
  return {
    counterId: draft.counter.counterId ?? '',
    first,
    numbers,
    period: resolved.period,
    date: resolved.date,
    formatVersion: format.facts.version,
    id: facts.id,
    replayed: false,
    status: facts.reservation ? 'reserved' : 'issued',
    guard: draft.expected ? 'redis+version' : 'row',
    waitedMs: waitedMs(batch, issue),
    retryCount: draft.retryCount,
    reservation: facts.reservation && {
      token: facts.reservation.token,
      expiresMs: nowMs + facts.reservation.holdMs,
    },
  };
}

/** Numbers that a key got before: its rows in order of their parts. */
export function readReplay(rows: readonly ReplayRow[]): Replay | undefined {
  const [row] = rows;
  if (!row) return undefined;
  const numbers: DrawnNumbers = {
    counterId: String(row.counter_id),
    first: row.sequence,
    numbers: rows.map(({ number }) => number),
    period: row.period,
    date: row.date,
    formatVersion: row.format_version ?? 0,
    id: row.id ?? undefined,
    replayed: true,
    status: row.status,
    guard: row.guard ?? 'row',
    waitedMs: row.waited_ms ?? 0,
    retryCount: row.retry_count ?? 0,
    reservation:
      row.reservation === null ? undefined : { token: row.reservation, expiresMs: Number(row.expires_ms) },
  };
  return { numbers, fingerprint: row.fingerprint };
}
