import type { SqlSession } from '@solegate/postgres-infra';
import { KeyReusedError } from '../contract/numbering-error.js';
import type { IssuedNumber } from '../contract/requests.js';
import type { ResolvedRequest } from '../request/resolved-request.js';
import type { Answer, Batch, Draft, DraftReply, DrawnNumbers, Verdict, WantedNumbers } from './draft.js';
import { drawStatement } from './draw-statement.js';

/** A ledger row found by its idempotency key or its batch. */
export interface ReplayRow {
  readonly issued: IssuedNumber & { readonly id: string | null };
  readonly fingerprint: string | null;
  readonly reservation: string | null;
  readonly expiresMs: number | null;
}

/** The reply to a batch: see sql/functions/draw-numbers.ts. */
export interface BatchReply {
  readonly server: string;
  readonly nowMs: number;
  /** Positions before the draw. */
  readonly counters: readonly {
    readonly counterId: string;
    readonly verdict: Verdict;
    readonly last: number;
    readonly version: number;
    readonly lastDate?: string | null;
  }[];
  /** `position` is the number's position in the batch, from 1. */
  readonly replays: readonly (ReplayRow & { readonly position: number })[] | null;
}

/**
 * Draws a batch in one round trip. It is committed at once if the session is no transaction.
 *
 * @param mark of the transaction in which alone to draw (TRANSACTION_MARK)
 * @returns a reply for each draft, in their order; none if this is another transaction, in which nothing was drawn
 */
export async function draw(session: SqlSession, batch: Batch, mark?: string): Promise<DraftReply[]> {
  const { rows } = await session.query(drawStatement(batch, mark));
  const [{ reply }] = rows as [{ readonly reply: BatchReply | null }];
  return reply === null ? [] : toReplies(batch, reply);
}

/** What the reply to a batch says to each of its drafts. */
export function toReplies(
  { drafts, rowWaitMs }: Batch,
  { server, nowMs, counters, replays }: BatchReply,
): DraftReply[] {
  const stateById = new Map(counters.map((state) => [state.counterId, state]));
  const replayAt = new Map(replays?.map((replay) => [replay.position, replay]));
  // A statement that waits for rows skips none.
  const absent = rowWaitMs === undefined ? 'SKIPPED' : 'MISSING';
  let position = 1;
  return drafts.map((draft) => {
    const state = stateById.get(draft.counterId);
    const verdict = state?.verdict ?? absent;
    let numberCount = 0;
    const answers = draft.items.map((item): Answer | undefined => {
      const found = replayAt.size === 0 ? [] : replaysOf(position, item.count, replayAt);
      position += item.count;
      if (found.length > 0) return toReplay(item.facts, found, item.resolved);
      if (!state || verdict !== 'GRANTED') return undefined;
      const drawn = drawnNumbers(draft, item, { first: state.last + numberCount + 1, nowMs });
      numberCount += item.count;
      return { kind: 'DRAWN', drawn };
    });
    const raised = numberCount > 0 ? 1 : 0;
    return {
      verdict,
      server,
      position: state && { version: state.version + raised, last: state.last + numberCount },
      lastDate: state?.lastDate ?? undefined,
      numberCount,
      answers,
    };
  });
}

function replaysOf(position: number, count: number, replayAt: ReadonlyMap<number, ReplayRow>): ReplayRow[] {
  return Array.from({ length: count }, (_, part) => replayAt.get(position + part)).filter(
    (row) => row !== undefined,
  );
}

/** Renders the same texts that PostgreSQL has stored. */
function drawnNumbers(
  { counterId, expected, retryCount }: Draft,
  { resolved, facts, count, waitedMs }: WantedNumbers,
  { first, nowMs }: { readonly first: number; readonly nowMs: number },
): DrawnNumbers {
  const { reservation } = facts;
  const numbers: IssuedNumber[] = [];
  const status = reservation ? 'reserved' : 'issued';
  const guard = expected ? 'redis+version' : 'row';
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

/** Answers a key that was used before: with its numbers in order of their parts, or KEY_REUSED for another request. */
export function toReplay(
  { key = '', fingerprint }: WantedNumbers['facts'],
  rows: readonly ReplayRow[],
  { series: { space, series }, dimensions }: ReplayedCounter,
): Answer {
  const [first] = rows;
  if (!first || (first.fingerprint ?? undefined) !== fingerprint)
    return { kind: 'FAILED', error: new KeyReusedError(key) };
  const numbers = rows.map(({ issued }) => {
    return { ...issued, id: issued.id ?? undefined, space, series, dimensions, replayed: true };
  });
  const { reservation: token, expiresMs } = first;
  return {
    kind: 'REPLAYED',
    drawn: {
      numbers,
      reservation: token === null ? undefined : { token, expiresMs: Number(expiresMs) },
    },
  };
}

interface ReplayedCounter {
  readonly series: Pick<ResolvedRequest['series'], 'space' | 'series'>;
  readonly dimensions: IssuedNumber['dimensions'];
}
