import type { Column } from '../sql/parameters.js';
import { type Batch, type Draft, type PendingIssue, positionsOf, waitedMs } from './draft.js';

/*
 * What a draw gives to PostgreSQL: one table of columns for the counters of a batch, one for the numbers wanted of them. Both
 * the text of the statement and its values are made from these.
 */

/** What a statement is made of. */
export interface DrawInput {
  readonly batch: Batch;
  /** Whether more statements follow in its transaction. */
  readonly isInTransaction: boolean;
}

/** One number that is wanted. */
interface Item {
  readonly batch: Batch;
  readonly draft: Draft;
  readonly issue: PendingIssue;
  /** Whether it is printed and recorded as the first of its counter is. */
  readonly isAlike: boolean;
  /** Among the numbers of its request, of its counter, of its batch; each from 1. */
  readonly part: number;
  readonly ordinal: number;
  readonly position: number;
}

export const firstOf = ({ issues }: Draft): PendingIssue => issues[0] as PendingIssue;

export const COUNTER_COLUMNS: readonly Column<Draft>[] = [
  { name: 'counter_id', type: 'bigint', of: ({ counter }) => counter.counterId },
  { name: 'version', type: 'bigint', of: ({ expected }) => expected?.version },
  { name: 'number_count', type: 'bigint', of: countOf },
  { name: 'floor', type: 'bigint', of: ({ counter }) => counter.floor },
  { name: 'ceiling', type: 'bigint', of: (draft) => firstOf(draft).resolved.ceiling },
  { name: 'revision', type: 'bigint', of: (draft) => firstOf(draft).resolved.series.revision },
  { name: 'space', type: 'text', of: (draft) => firstOf(draft).resolved.series.space },
  { name: 'period', type: 'text', of: (draft) => firstOf(draft).resolved.period },
  { name: 'first_date', type: 'date', of: (draft) => orderedDate(firstOf(draft)) },
  { name: 'retry_count', type: 'int', of: ({ retryCount }) => retryCount },
  { name: 'prefix', type: 'text', of: (draft) => firstOf(draft).resolved.affixes.prefix },
  { name: 'suffix', type: 'text', of: (draft) => firstOf(draft).resolved.affixes.suffix },
  { name: 'width', type: 'int', of: (draft) => firstOf(draft).resolved.format.width },
  { name: 'format_version', type: 'int', of: (draft) => firstOf(draft).resolved.format.facts.version },
  { name: 'business_date', type: 'date', of: (draft) => firstOf(draft).resolved.date },
  { name: 'actor', type: 'text', of: (draft) => firstOf(draft).facts.actor },
];

/** What the first of a counter is printed with holds for those that are alike, and is not said again. */
const PRINTED_COLUMNS: readonly Column<Item>[] = [
  { name: 'prefix', type: 'text', of: (item) => unlessAlike(item)?.affixes.prefix },
  { name: 'suffix', type: 'text', of: (item) => unlessAlike(item)?.affixes.suffix },
  { name: 'width', type: 'int', of: (item) => unlessAlike(item)?.format.width },
  { name: 'format_version', type: 'int', of: (item) => unlessAlike(item)?.format.facts.version },
  { name: 'business_date', type: 'date', of: (item) => unlessAlike(item)?.date },
];

export const RECORDED_COLUMNS: readonly Column<Item>[] = [
  { name: 'waited_ms', type: 'int', of: ({ batch, issue }) => waitedMs(batch, issue) },
  { name: 'id', type: 'bigint', of: ({ issue }) => issue.facts.id },
  { name: 'actor', type: 'text', of: ({ draft, issue }) => otherActor(draft, issue) },
  { name: 'document', type: 'text', of: ({ issue }) => issue.facts.document },
  { name: 'reason', type: 'text', of: ({ issue }) => issue.facts.reason },
];

const KEYED_COLUMNS: readonly Column<Item>[] = [
  { name: 'reservation', type: 'uuid', of: ({ issue }) => issue.facts.reservation?.token },
  { name: 'hold_ms', type: 'bigint', of: ({ issue }) => issue.facts.reservation?.holdMs },
  { name: 'idempotency_key', type: 'text', of: ({ issue }) => issue.facts.key },
  {
    name: 'key_part',
    type: 'int',
    of: ({ issue, part }) => (issue.facts.key === undefined ? undefined : part),
  },
  { name: 'fingerprint', type: 'text', of: ({ issue }) => issue.facts.fingerprint },
];

const PLACE_COLUMNS: readonly Column<Item>[] = [
  { name: 'counter_id', type: 'bigint', of: ({ draft }) => draft.counter.counterId },
  { name: 'ordinal', type: 'bigint', of: ({ ordinal }) => ordinal },
  { name: 'position', type: 'int', of: ({ position }) => position },
];

export const ITEM_COLUMNS = [...PLACE_COLUMNS, ...PRINTED_COLUMNS, ...RECORDED_COLUMNS, ...KEYED_COLUMNS];

function countOf({ issues }: Draft): number {
  let count = 0;
  for (const issue of issues) count += issue.count;
  return count;
}

const orderedDate = ({ resolved }: PendingIssue): string | undefined =>
  resolved.series.dateOrder ? resolved.date : undefined;

const unlessAlike = ({ isAlike, issue }: Item) => (isAlike ? undefined : issue.resolved);

const otherActor = (draft: Draft, { facts }: PendingIssue): string | undefined =>
  facts.actor === firstOf(draft).facts.actor ? undefined : facts.actor;

export function itemsOf({ batch }: DrawInput): Item[] {
  const items: Item[] = [];
  const positions = positionsOf(batch);
  for (const draft of batch.drafts) {
    let ordinal = 0;
    for (const issue of draft.issues) {
      const isAlike = issue.resolved === firstOf(draft).resolved;
      const before = (positions.get(issue) ?? 1) - 1;
      for (let part = 1; part <= issue.count; part += 1) {
        ordinal += 1;
        items.push({ batch, draft, issue, isAlike, part, ordinal, position: before + part });
      }
    }
  }
  return items;
}
