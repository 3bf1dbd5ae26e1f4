import { compose, explain } from './explain.js';
import { checkText } from './id-range.js';
import { TSID_42_10_12, type TsidLayout } from './layout.js';
import { MalformedTsidError, TsidOutOfRangeError } from './tsid-error.js';

/*
 * A UUID of version 7 (RFC 9562) has 48 bits of Unix milliseconds, the version, 12 bits, the variant and 62 bits. The node and
 * the sequence of an ID, at most 32 bits, fill what follows the time from its most significant bit on, and the rest is
 * 0. So the texts sort as the IDs do, and each is the UUID of one ID of the layout.
 */

const FORM = 'a UUIDv7 written by toUuidV7 in this layout';
const TEXT = /^([0-9a-f]{8})-([0-9a-f]{4})-7([0-9a-f]{3})-([89ab][0-9a-f]{3})-([0-9a-f]{2})0{10}$/;
/** The variant in the first two of the 24 bits that it shares with the last 20 of node and sequence. */
const VARIANT = 0x80_0000;

const hex = (value: number, digitCount: number): string => value.toString(16).padStart(digitCount, '0');

/** By how much node and sequence are shifted to begin at the most significant of 32 bits. */
const shiftOf = ({ nodeBits, sequenceBits }: TsidLayout): number => 2 ** (32 - nodeBits - sequenceBits);

/**
 * Returns the ID as a UUID of version 7, 36 characters, for columns of type `uuid`. The texts of one layout sort as its
 * IDs do. Default layout: TSID_42_10_12.
 * @throws TsidOutOfRangeError for an ID of the year 10889 or later.
 */
export function toUuidV7(id: bigint, layout: TsidLayout = TSID_42_10_12): string {
  const { timeMs, node, sequence } = explain(id, layout);
  if (timeMs >= 2 ** 48) throw new TsidOutOfRangeError('time', timeMs, `The time ${timeMs} exceeds 48 bits.`);
  const rest = (node * (layout.sequenceMax + 1) + sequence) * shiftOf(layout);
  const time = hex(timeMs, 12);
  const last = hex(VARIANT + (rest % 2 ** 20) * 4, 6);
  const upper = hex(Math.floor(rest / 2 ** 20), 3);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${upper}-${last.slice(0, 4)}-${last.slice(4)}0000000000`;
}

/**
 * Reads exactly what {@link toUuidV7} writes in the same layout.
 * @throws MalformedTsidError for anything else, also for a UUID of version 7 from another source.
 */
export function parseUuidV7(text: string, layout: TsidLayout = TSID_42_10_12): bigint {
  checkText(text, FORM);
  const [, ...groups] = TEXT.exec(text) ?? [];
  const [high = '', low = '', upper = '', middle = '', lower = ''] = groups;
  const timeMs = Number.parseInt(high + low, 16);
  const last = (Number.parseInt(middle + lower, 16) - VARIANT) / 4;
  const rest = (Number.parseInt(upper, 16) * 2 ** 20 + last) / shiftOf(layout);
  const isOurs =
    Number.isInteger(rest) && timeMs >= layout.epochMs && timeMs < layout.epochMs + 2 ** layout.timeBits;
  if (!isOurs) throw new MalformedTsidError(text, FORM);
  const perNode = layout.sequenceMax + 1;
  return compose({ timeMs, node: Math.floor(rest / perNode), sequence: rest % perNode }, layout);
}
