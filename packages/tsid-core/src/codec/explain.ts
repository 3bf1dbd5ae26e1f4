import { highHalf, joinHalves, lowHalf, splitHalves } from './id-cell.js';
import { checkField, checkId } from './id-range.js';
import { TSID_42_10_12, type TsidLayout } from './layout.js';
import { baseHigh, baseLow, idsPerMs } from './millisecond-base.js';
import { TsidOutOfRangeError } from './tsid-error.js';

/** The last date that JavaScript can represent. */
const LAST_TIME_MS = 8.64e15;

/** The parts of an ID. */
export interface TsidParts {
  /** When it was minted, by its node's clock. */
  readonly time: Date;
  /** The same in Unix milliseconds. */
  readonly timeMs: number;
  readonly node: number;
  readonly sequence: number;
}

/** The first and last ID of a time span, inclusive. */
export interface TsidRange {
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Splits an ID into its parts. Default layout: TSID_42_10_12.
 * @throws TsidOutOfRangeError when the ID is not an unsigned 64-bit number.
 */
export function explain(id: bigint, layout: TsidLayout = TSID_42_10_12): TsidParts {
  checkId(id);
  splitHalves(id);
  const perMs = idsPerMs(layout);
  const low = lowHalf();
  const timeMs = layout.epochMs + highHalf() * (2 ** 32 / perMs) + Math.floor(low / perMs);
  const rest = low % perMs;
  const perNode = layout.sequenceMax + 1;
  return { time: new Date(timeMs), timeMs, node: Math.floor(rest / perNode), sequence: rest % perNode };
}

/**
 * Builds an ID from its parts: the inverse of {@link explain}. Equal parts make equal IDs, so mint with a generator.
 * @throws TsidOutOfRangeError when a part does not fit its field.
 */
export function compose(parts: Omit<TsidParts, 'time'>, layout: TsidLayout = TSID_42_10_12): bigint {
  const { timeMs, node, sequence } = parts;
  const { epochMs, nodeMax, sequenceMax } = layout;
  const endMs = epochMs + 2 ** layout.timeBits;
  checkField('time', timeMs, epochMs, endMs - 1);
  checkField('node', node, 0, nodeMax);
  checkField('sequence', sequence, 0, sequenceMax);
  const elapsedMs = timeMs - epochMs;
  return joinHalves(baseHigh(layout, elapsedMs), baseLow(layout, elapsedMs, node) | sequence);
}

/**
 * Returns the first and the last ID that any node can mint from the millisecond `from` through the millisecond `to`,
 * inclusive: `WHERE id BETWEEN first AND last` reads a time span by primary key. Both are clamped to the layout's
 * lifetime, so they fit a BIGINT where the IDs do. For a span without any ID, first is 1 and last is 0, which matches
 * nothing. Default layout: TSID_42_10_12.
 * @throws TsidOutOfRangeError when a time is not a whole number of milliseconds or `to` is before `from`.
 */
export function range(from: Date | number, to: Date | number, layout: TsidLayout = TSID_42_10_12): TsidRange {
  const fromMs = Number(from);
  const toMs = Number(to);
  checkField('time', fromMs, -LAST_TIME_MS, LAST_TIME_MS);
  checkField('time', toMs, -LAST_TIME_MS, LAST_TIME_MS);
  if (toMs < fromMs) throw new TsidOutOfRangeError('time', toMs, `The range ends before ${fromMs}.`);
  const { epochMs, horizonMs, nodeMax, sequenceMax } = layout;
  if (toMs < epochMs || fromMs >= horizonMs) return { first: 1n, last: 0n };
  return {
    first: compose({ timeMs: Math.max(fromMs, epochMs), node: 0, sequence: 0 }, layout),
    last: compose({ timeMs: Math.min(toMs, horizonMs - 1), node: nodeMax, sequence: sequenceMax }, layout),
  };
}
