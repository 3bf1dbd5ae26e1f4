import { parseTsid, type Tsid } from '@solegate/client';
import {
  explain,
  parseBase62Lenient,
  parseCrockfordLenient,
  parseDecimalLenient,
  parseHexLenient,
} from '@solegate/tsid-core';

const SPELLINGS = {
  decimal: parseDecimalLenient,
  'Crockford base 32': parseCrockfordLenient,
  'base 62': parseBase62Lenient,
  hexadecimal: parseHexLenient,
} as const;

/** One way to read a text as an ID. */
export interface Reading {
  readonly spelling: keyof typeof SPELLINGS;
  readonly id: Tsid;
  readonly time: Date;
  readonly node: number;
  readonly sequence: number;
  /** False if it would be from the future, or from the first year of the epoch, as short texts are. */
  readonly isLikely: boolean;
}

/** The first year that is likely, in Unix milliseconds. */
const LIKELY_FROM_MS = Date.UTC(2021, 0);
/** How far clocks may differ, in milliseconds. */
const LIKELY_AHEAD_MS = 86_400_000;

/** Every way to read the text as an ID, the one made nearest to `nowMs` first; empty if there is none. */
export function readingsOf(text: string, nowMs: number): readonly Reading[] {
  const readings = Object.entries(SPELLINGS).flatMap(([spelling, parse]): Reading[] => {
    const id = idOf(text, parse);
    if (id === undefined) return [];
    const { time, timeMs, node, sequence } = explain(id);
    const isLikely = timeMs >= LIKELY_FROM_MS && timeMs <= nowMs + LIKELY_AHEAD_MS;
    return [{ spelling: spelling as Reading['spelling'], id: parseTsid(id), time, node, sequence, isLikely }];
  });
  const distanceMs = ({ time }: Reading) => Math.abs(time.getTime() - nowMs);
  return readings.toSorted((one, other) => distanceMs(one) - distanceMs(other));
}

function idOf(text: string, parse: (text: string) => bigint): bigint | undefined {
  try {
    return parse(text);
  } catch {
    // Not an ID in this spelling.
    return undefined;
  }
}
