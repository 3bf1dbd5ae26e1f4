import type { SqlSession } from '@solegate/postgres-infra';
import { KeyReusedError } from '../contract/numbering-error.js';
import type { IssuedNumber } from '../contract/requests.js';
import type { ResolvedRequest } from '../request/resolved-request.js';
import type { Answer, Batch, Draft, DrawnNumbers, PendingIssue } from './counter-queue.js';
import { drawBatch, drawRun } from './draw-statement.js';

/** A ledger row found by its idempotency key. */
export interface ReplayRow {
  readonly issued: IssuedNumber & { readonly id: string | null };
  readonly fingerprint: string | null;
  readonly reservation: string | null;
  readonly expires_ms: number | null;
}

/** A row of the reply: a counter's position, a replay, or, without an `id`, only the server. */
export interface ReplyRow {
  readonly id: string | null;
  readonly last_number: string;
  readonly version: string;
  readonly last_date: string | null;
  readonly revision: string;
  readonly granted: boolean;
  readonly now_ms: string | null;
  readonly server: string | null;
  /** `position` is the number's position in the batch, from 1. */
  readonly replay: (ReplayRow & { readonly position: number }) | null;
}

/** Draws a batch in one round trip and sets its drafts' replies. Commits by itself if the session is no transaction. */
export async function draw(session: SqlSession, batch: Batch, isInTransaction: boolean): Promise<void> {
  const input = { batch, isInTransaction };
  const { drafts, rowWaitMs } = batch;
  const issues = drafts.flatMap((draft) => draft.issues);
  const isKeyed = issues.some(({ facts }) => facts.key !== undefined);
  // One counter whose row is waited for, everything printed alike, and nothing reserved.
  const isRun =
    !isKeyed &&
    drafts.length === 1 &&
    rowWaitMs !== undefined &&
    issues.every(
      ({ resolved, facts }) => resolved === issues[0]?.resolved && facts.reservation === undefined,
    );
  if (isRun) {
    const { name, text, parameters } = drawRun;
    const { rows } = await session.query({ name, text, values: parameters.values(input) });
    const [row] = rows as ReplyRow[];
    if (row?.granted === true) return readReplies(batch, [row]);
  }
  const statements = isKeyed ? drawBatch.keyed : drawBatch.plain;
  const { name, text, parameters } = batch.rowWaitMs === undefined ? statements.skipping : statements.waiting;
  const { rows } = await session.query({ name, text, values: parameters.values(input) });
  readReplies(batch, rows as ReplyRow[]);
}

/** Sets the replies of a batch's drafts. */
export function readReplies({ drafts }: Batch, rows: readonly ReplyRow[]): void {
  const rowById = new Map<string, ReplyRow>();
  const replays = new Map<number, ReplayRow>();
  let server = '';
  for (const row of rows) {
    server = row.server ?? server;
    if (row.replay) replays.set(row.replay.position, row.replay);
    else if (row.id !== null) rowById.set(String(row.id), row);
  }
  for (const draft of drafts) {
    const { counter, issues } = draft;
    const row = rowById.get(counter.counterId ?? '');
    const answers = new Map<PendingIssue, Answer>();
    const known = counter.position ?? { version: 0, last: 0 };
    const before = row ? { version: Number(row.version), last: Number(row.last_number) } : known;
    let numberCount = 0;
    for (const issue of issues) {
      const found = replays.size === 0 ? [] : replaysOf(issue, replays);
      if (found.length > 0)
        answers.set(
          issue,
          toReplay(issue.facts, found, { ...issue.resolved.series, dimensions: issue.resolved.dimensions }),
        );
      else if (row?.granted) {
        const first = before.last + numberCount + 1;
        const drawn = drawnNumbers(draft, issue, { first, nowMs: Number(row.now_ms) });
        answers.set(issue, { kind: 'DRAWN', drawn });
        numberCount += issue.count;
      }
    }
    const isGranted = row?.granted || answers.size === issues.length;
    draft.reply = {
      kind: row ? (isGranted ? 'GRANTED' : 'REFUSED') : 'SKIPPED',
      server,
      position: row?.granted ? { version: before.version + 1, last: before.last + numberCount } : before,
      lastDate: row?.last_date ?? undefined,
      revision: Number(row?.revision ?? 0),
      numberCount,
      answers,
    };
  }
}

function replaysOf({ position, count }: PendingIssue, replays: ReadonlyMap<number, ReplayRow>): ReplayRow[] {
  return Array.from({ length: count }, (_, part) => replays.get(position + part)).filter(
    (row) => row !== undefined,
  );
}

/** Renders the same texts that the statement stored. */
function drawnNumbers(
  draft: Draft,
  issue: PendingIssue,
  { first, nowMs }: { readonly first: number; readonly nowMs: number },
): DrawnNumbers {
  const { resolved, facts, count, waitedMs } = issue;
  const { reservation } = facts;
  const numbers: IssuedNumber[] = [];
  const status = reservation ? 'reserved' : 'issued';
  const guard = draft.expected ? 'redis+version' : 'row';
  const { counterId = '' } = draft.counter;
  const { retryCount } = draft;
  const how = { counterId, id: facts.id, status, guard, waitedMs, retryCount } as const;
  for (let sequence = first; sequence < first + count; sequence += 1) {
    numbers.push(issuedNumber(resolved, sequence, how));
  }
  return {
    numbers,
    reservation: reservation && { token: reservation.token, expiresMs: nowMs + reservation.holdMs },
  };
}

/** A number as its format prints it, and how it was issued. */
export function issuedNumber(
  { format, affixes, series: { space, series }, dimensions, period, date }: ResolvedRequest,
  sequence: number,
  how: Pick<IssuedNumber, 'counterId' | 'id' | 'status' | 'guard' | 'waitedMs' | 'retryCount'>,
): IssuedNumber {
  const number = format.render(affixes, sequence);
  const formatVersion = format.facts.version;
  return {
    number,
    sequence,
    space,
    series,
    dimensions,
    period,
    date,
    formatVersion,
    replayed: false,
    ...how,
  };
}

/** Answers a key that was used before: with its numbers in order of their parts, or KEY_REUSED for other content. */
export function toReplay(
  { key = '', fingerprint }: PendingIssue['facts'],
  rows: readonly ReplayRow[],
  { space, series, dimensions }: Pick<IssuedNumber, 'space' | 'series' | 'dimensions'>,
): Answer {
  const [first] = rows;
  if (!first || (first.fingerprint ?? undefined) !== fingerprint)
    return { kind: 'FAILED', error: new KeyReusedError(key) };
  const numbers = rows.map(({ issued }) => {
    return { ...issued, id: issued.id ?? undefined, space, series, dimensions, replayed: true };
  });
  const { reservation: token, expires_ms } = first;
  return {
    kind: 'REPLAYED',
    drawn: { numbers, reservation: token === null ? undefined : { token, expiresMs: Number(expires_ms) } },
  };
}
