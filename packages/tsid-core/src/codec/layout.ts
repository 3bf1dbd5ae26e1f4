import { wholeFault } from './id-range.js';
import { InvalidLayoutError } from './tsid-error.js';

/**
 * How the bits of an ID are divided, most significant first. With less than 64, the upper ones are 0:
 *
 *     bits - 1              nodeBits + sequenceBits        sequenceBits          0
 *     | time: ms since epoch           | node                | sequence          |
 *
 * Created only by {@link defineLayout}, so every layout has been checked.
 */
export interface TsidLayout {
  /** Used in errors and pinned in Redis, for example `42/10/12`. */
  readonly name: string;
  readonly timeBits: number;
  readonly nodeBits: number;
  readonly sequenceBits: number;
  /** The sum of the three: 64, or less. With at most 53, every ID is a safe integer. */
  readonly bits: number;
  /** Time 0, in milliseconds of the Unix epoch. */
  readonly epochMs: number;
  /** First millisecond (Unix) that can no longer be minted. */
  readonly horizonMs: number;
  /** Nodes are 0 … nodeMax. */
  readonly nodeMax: number;
  /** Sequences are 0 … sequenceMax, so a millisecond holds sequenceMax + 1 IDs. */
  readonly sequenceMax: number;
}

/** Options of {@link defineLayout}. */
export interface TsidLayoutDefinition {
  /** 32 … 52: fewer last less than 50 days, more extend past the last date that JavaScript can represent. */
  readonly timeBits: number;
  /** 0 … 31. */
  readonly nodeBits: number;
  /** 1 … 31. */
  readonly sequenceBits: number;
  /** Unix milliseconds or a Date, on or after 1970-01-01. */
  readonly epoch: number | Date;
  /**
   * `signed` (default): minting ends where a signed BIGINT would turn negative: with 64 bits, after 2^(timeBits - 1) ms.
   * `unsigned`: all bits are used; storage of 64 must then compare unsigned.
   */
  readonly range?: 'signed' | 'unsigned';
}

const LAST_DATE_MS = 8.64e15;

/**
 * Validates widths, epoch and horizon, and returns a frozen layout.
 * @throws InvalidLayoutError when they are invalid; the message names the broken rule.
 */
export function defineLayout(definition: TsidLayoutDefinition): TsidLayout {
  const { timeBits, nodeBits, sequenceBits, range = 'signed' } = definition;
  const name = `${timeBits}/${nodeBits}/${sequenceBits}`;
  const epochMs = Number(definition.epoch);
  const bits = timeBits + nodeBits + sequenceBits;
  const lifeMs = 2 ** (range === 'signed' && bits === 64 ? timeBits - 1 : timeBits);
  const fault =
    wholeFault('timeBits', timeBits, [32, 52]) ||
    wholeFault('nodeBits', nodeBits, [0, 31]) ||
    wholeFault('sequenceBits', sequenceBits, [1, 31]) ||
    (bits <= 64 ? '' : `The widths ${name} add up to ${bits}, more than 64.`) ||
    (range === 'signed' || range === 'unsigned' ? '' : `range is ${range}: use signed or unsigned.`) ||
    wholeFault('epoch', epochMs, [0, LAST_DATE_MS - lifeMs]);
  if (fault) throw new InvalidLayoutError(fault);
  const nodeMax = 2 ** nodeBits - 1;
  const sequenceMax = 2 ** sequenceBits - 1;
  return Object.freeze({
    name,
    timeBits,
    nodeBits,
    sequenceBits,
    bits,
    epochMs,
    horizonMs: epochMs + lifeMs,
    nodeMax,
    sequenceMax,
  });
}

/**
 * The default: 42 bits of time since 2020-01-01, 1,024 nodes, 4,096 IDs per millisecond and node.
 * Same layout and epoch as the Java `tsid-creator`, so IDs of both compare and parse alike.
 * Positive in a signed BIGINT until 2089-09-06.
 */
export const TSID_42_10_12: TsidLayout = defineLayout({
  timeBits: 42,
  nodeBits: 10,
  sequenceBits: 12,
  epoch: Date.UTC(2020, 0, 1),
});

/**
 * The Snowflake variant: 41 bits of time since 2024-01-01 (shift 23), 1,024 nodes (shift 13), 8,192 IDs per
 * millisecond and node. Positive in a signed BIGINT until 2058-11-03.
 */
export const TSID_41_10_13: TsidLayout = defineLayout({
  timeBits: 41,
  nodeBits: 10,
  sequenceBits: 13,
  epoch: Date.UTC(2024, 0, 1),
});

/**
 * For IDs that are JavaScript numbers: 53 bits, so every ID is a safe integer and survives JSON. 41 bits of time since
 * 2024-01-01, 32 nodes, 128 IDs per millisecond and node. Ends on 2093-09-06.
 */
export const TSID_53: TsidLayout = defineLayout({
  timeBits: 41,
  nodeBits: 5,
  sequenceBits: 7,
  epoch: Date.UTC(2024, 0, 1),
});
