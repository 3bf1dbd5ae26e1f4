import {
  parseBase62Lenient,
  parseCrockfordLenient,
  parseDecimalLenient,
  parseHexLenient,
  TsidError,
} from '@solegate/tsid-core';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { TsidParts } from './tsid-parts.type.js';

export enum TsidSpelling {
  DECIMAL = 'DECIMAL',
  CROCKFORD = 'CROCKFORD',
  BASE62 = 'BASE62',
  HEX = 'HEX',
}

registerEnumType(TsidSpelling, {
  name: 'TsidSpelling',
  description: 'Spelling of a TSID.',
  valuesConfig: {
    DECIMAL: { description: '1 to 20 decimal digits, as in JSON.' },
    CROCKFORD: { description: '13 characters of Crockford base 32, case-insensitive, hyphens allowed.' },
    BASE62: { description: '11 characters, 0-9 A-Z a-z.' },
    HEX: { description: '16 hexadecimal digits.' },
  },
});

@ObjectType({ description: 'One way to read a text as a TSID.' })
export class TsidReading {
  @Field(() => TsidSpelling, { description: 'Spelling that the text was read as.' })
  spelling!: TsidSpelling;

  @Field(() => TsidParts, { description: 'The resulting TSID.' })
  tsid!: TsidParts;
}

const PARSERS: readonly (readonly [TsidSpelling, (text: string) => bigint])[] = [
  [TsidSpelling.DECIMAL, parseDecimalLenient],
  [TsidSpelling.CROCKFORD, parseCrockfordLenient],
  [TsidSpelling.BASE62, parseBase62Lenient],
  [TsidSpelling.HEX, parseHexLenient],
];

/**
 * Returns every way to read the text as a TSID. Thirteen digits are both a decimal number and a Crockford text: the ID
 * made nearest to now comes first, since it is the most likely one.
 */
export function readingsOf(text: string, nowMs: number): TsidReading[] {
  const readings = PARSERS.flatMap(([spelling, parse]) => {
    const id = idOf(text, parse);
    return id === undefined ? [] : [{ spelling, tsid: new TsidParts(id) }];
  });
  const distanceMs = ({ tsid }: TsidReading) => Math.abs(tsid.time.getTime() - nowMs);
  return readings.sort((one, other) => distanceMs(one) - distanceMs(other));
}

function idOf(text: string, parse: (text: string) => bigint): bigint | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TsidError) return undefined;
    throw error;
  }
}
