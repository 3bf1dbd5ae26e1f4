import { type Batch, type BatchLine, placesOf, waitedMs } from './batch.js';
import { type LineReply, type ReplyRow, readReplies } from './draw-reply.js';
import { drawKeyedText, drawRunText, drawText } from './draw-statement.js';
import { LiteralArray } from './literal-array.js';
import type { PendingIssue } from './pending-issue.js';
import type { SqlSession, SqlStatement } from './sql-session.js';

export interface DrawOptions {
  readonly session: SqlSession;
  readonly batch: Batch;
  readonly isNamed: boolean;
}

/** Draws a batch: one round trip, committed by itself when the session is a pool. */
export async function drawBatch({ session, batch, isNamed }: DrawOptions): Promise<LineReply[]> {
  const run = runOf(batch);
  if (run) {
    const { rows } = await session.query(runStatement(batch, run, isNamed));
    if (rows.length > 0) return readReplies(batch, rows as ReplyRow[]);
  }
  const { rows } = await session.query(batchStatement(batch, isNamed));
  return readReplies(batch, rows as ReplyRow[]);
}

/** A batch that is a run: one counter, everything printed alike, and nobody has a key or a reservation. */
interface Run {
  readonly line: BatchLine;
  readonly first: PendingIssue;
}

function runOf({ lines, partOf }: Batch): Run | undefined {
  const [line, ...others] = lines;
  const [first] = line?.issues ?? [];
  if (!line || !first || partOf || others.length > 0) return undefined;
  const isRun = line.issues.every(
    ({ resolved, facts }) =>
      resolved === first.resolved && facts.key === undefined && facts.reservation === undefined,
  );
  return isRun ? { line, first } : undefined;
}

function runStatement(batch: Batch, { line, first }: Run, isNamed: boolean): SqlStatement {
  const { series, format, affixes, ceiling, date, period } = first.resolved;
  const columns = Array.from({ length: 5 }, () => new LiteralArray());
  const [waited, id, actor, document, reason] = columns;
  let count = 0;
  for (const issue of line.issues) {
    const { facts } = issue;
    count += issue.count;
    for (let index = 0; index < issue.count; index += 1) {
      waited?.plain(waitedMs(batch, issue));
      id?.plain(facts.id);
      actor?.text(facts.actor === first.facts.actor ? undefined : facts.actor);
      document?.text(facts.document);
      reason?.text(facts.reason);
    }
  }
  const values = [
    line.counterId,
    line.expected?.version ?? null,
    series.revision,
    line.highWaterMark,
    count,
    ceiling,
    series.dateOrder ? date : null,
    batch.id,
    line.retryCount,
    format.facts.version,
    date,
    series.space,
    affixes.prefix,
    format.width,
    affixes.suffix,
    period,
    first.facts.actor,
    ...columns.map((column) => column.literalOrNull()),
  ];
  return { ...(isNamed ? { name: 'doc_num_draw_run' } : {}), text: drawRunText, values };
}

function batchStatement(batch: Batch, isNamed: boolean): SqlStatement {
  const isKeyed = batch.lines.some((line) => line.issues.some(({ facts }) => facts.key !== undefined));
  const name = isKeyed ? 'doc_num_draw_keyed' : 'doc_num_draw';
  return {
    ...(isNamed ? { name } : {}),
    text: isKeyed ? drawKeyedText : drawText,
    values: [...lineValues(batch), batch.id, ...itemValues(batch), batch.partOf?.hasHead !== true],
  };
}

function lineValues({ lines }: Batch): string[] {
  const columns = Array.from({ length: 16 }, () => new LiteralArray());
  const [counter, version, numbers, floor, ceiling, revision, space, period, firstDate, retries] = columns;
  const [prefix, suffix, width, formatVersion, date, actor] = columns.slice(10);
  for (const { counterId, expected, highWaterMark, issues, retryCount } of lines) {
    const [first] = issues;
    if (!first) continue;
    const { resolved, facts } = first;
    let count = 0;
    for (const issue of issues) count += issue.count;
    counter?.plain(counterId);
    version?.plain(expected?.version);
    numbers?.plain(count);
    floor?.plain(highWaterMark);
    ceiling?.plain(resolved.ceiling);
    revision?.plain(resolved.series.revision);
    space?.text(resolved.series.space);
    period?.plain(resolved.period);
    firstDate?.plain(resolved.series.dateOrder ? resolved.date : undefined);
    retries?.plain(retryCount);
    prefix?.text(resolved.affixes.prefix);
    suffix?.text(resolved.affixes.suffix);
    width?.plain(resolved.format.width);
    formatVersion?.plain(resolved.format.facts.version);
    date?.plain(resolved.date);
    actor?.text(facts.actor);
  }
  return columns.map((column) => column.literal());
}

function itemValues(batch: Batch): (string | null)[] {
  const columns = Array.from({ length: 18 }, () => new LiteralArray());
  const [counter, ordinal, place, waited, prefix, suffix, width, version, date] = columns;
  const [actor, document, reason, id, reservation, hold, key, part, fingerprint] = columns.slice(9);
  const drawn = new Map<BatchLine, number>();
  for (const { line, issue, position } of placesOf(batch)) {
    const { facts, resolved } = issue;
    const [first = issue] = line.issues;
    const isLike = resolved === first.resolved;
    const before = drawn.get(line) ?? 0;
    drawn.set(line, before + issue.count);
    for (let index = 1; index <= issue.count; index += 1) {
      counter?.plain(line.counterId);
      ordinal?.plain(before + index);
      place?.plain(position + index - 1);
      waited?.plain(waitedMs(batch, issue));
      prefix?.text(isLike ? undefined : resolved.affixes.prefix);
      suffix?.text(isLike ? undefined : resolved.affixes.suffix);
      width?.plain(isLike ? undefined : resolved.format.width);
      version?.plain(isLike ? undefined : resolved.format.facts.version);
      date?.plain(isLike ? undefined : resolved.date);
      actor?.text(facts.actor === first.facts.actor ? undefined : facts.actor);
      document?.text(facts.document);
      reason?.text(facts.reason);
      id?.plain(facts.id);
      reservation?.plain(facts.reservation?.token);
      hold?.plain(facts.reservation?.holdMs);
      key?.text(facts.key);
      part?.plain(facts.key === undefined ? undefined : index);
      fingerprint?.plain(facts.fingerprint);
    }
  }
  return columns.map((column) => column.literalOrNull());
}
