import type { EntitySchemaColumnOptions, ValueTransformer } from 'typeorm';
import { MalformedTsidError, TsidOutOfRangeError } from '../codec/tsid-error.js';

/**
 * Maps a TSID to a BIGINT column: a bigint in code, decimal text on the wire, since a JavaScript number would round it.
 * IDs of 2^63 and above, which only layouts with range `unsigned` make, are stored as negative numbers of equal bits.
 */
export const tsidTransformer: ValueTransformer = {
  to(value: unknown): unknown {
    if (typeof value !== 'bigint') return value;
    if (BigInt.asUintN(64, value) !== value) throw new TsidOutOfRangeError('id', value, '0 to 2^64 - 1');
    return BigInt.asIntN(64, value).toString();
  },
  from(value: unknown): unknown {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw new MalformedTsidError(value, 'an unrounded BIGINT: configure the driver to return it');
    }
    return typeof value === 'string' || typeof value === 'number' ? BigInt.asUintN(64, BigInt(value)) : value;
  },
};

/** Returns column options for an EntitySchema or `@Column(tsidColumn())`. The property is a bigint. */
export function tsidColumn<Options extends Partial<EntitySchemaColumnOptions>>(
  options?: Options,
): Options & { type: 'bigint'; transformer: ValueTransformer } {
  return { ...(options as Options), type: 'bigint', transformer: tsidTransformer };
}

/** Returns options of a primary key that a {@link TsidKeyGenerator} fills in unless the entity has a value. */
export function tsidPrimaryColumn<Options extends Partial<EntitySchemaColumnOptions>>(
  options?: Options,
): Options & { type: 'bigint'; transformer: ValueTransformer; primary: true } {
  return { ...tsidColumn(options), primary: true };
}
