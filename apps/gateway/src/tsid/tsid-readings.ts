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
  description: 'A way to write a TSID.',
  valuesConfig: {
    DECIMAL: { description: '1 to 20 decimal digits, as in JSON.' },
    CROCKFORD: { description: '13 characters of Crockford base 32, in any case, hyphens allowed.' },
    BASE62: { description: '11 characters, 0-9 A-Z a-z.' },
    HEX: { description: '16 hexadecimal digits.' },
  },
});

@ObjectType({ description: 'One way to read a text as a TSID.' })
export class TsidReading {
  @Field(() => TsidSpelling, { description: 'How the text was read.' })
  spelling!: TsidSpelling;

  @Field(() => TsidParts, { description: 'The TSID that it then is.' })
  tsid!: TsidParts;
}

const PARSERS: readonly (readonly [TsidSpelling, (text: string) => bigint])[] = [
  [TsidSpelling.DECIMAL, parseDecimalLenient],
  [TsidSpelling.CROCKFORD, parseCrockfordLenient],
  [TsidSpelling.BASE62, parseBase62Lenient],
  [TsidSpelling.HEX, parseHexLenient],
];

/**
 * Every way to read the text as a TSID. Thirteen digits are a decimal number and a Crockford text: what was made nearest
 * to now comes first, since that is what somebody has at hand.
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
