import type { EntitySchemaColumnOptions, ValueTransformer } from 'typeorm';
import { MalformedTsidError, TsidOutOfRangeError } from '../codec/tsid-error.js';

/**
 * A TSID in a BIGINT column: a bigint in code, a decimal text on the wire, because a JavaScript number rounds it. An ID
 * of 2^63 and above, which only layouts of range `unsigned` make, is stored as the negative number of the same bits.
 */
export const tsidTransformer: ValueTransformer = {
  to(value: unknown): unknown {
    if (typeof value !== 'bigint') return value;
    if (BigInt.asUintN(64, value) !== value) throw new TsidOutOfRangeError('id', value, '0 to 2^64 - 1');
    return BigInt.asIntN(64, value).toString();
  },
  from(value: unknown): unknown {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw new MalformedTsidError(value, 'a BIGINT that the driver did not round: let it return them');
    }
    return typeof value === 'string' || typeof value === 'number' ? BigInt.asUintN(64, BigInt(value)) : value;
  },
};

/** Column options for an EntitySchema or `@Column(tsidColumn())`; the property is a bigint. */
export function tsidColumn<Options extends Partial<EntitySchemaColumnOptions>>(
  options?: Options,
): Options & { type: 'bigint'; transformer: ValueTransformer } {
  return { ...(options as Options), type: 'bigint', transformer: tsidTransformer };
}

/** Options of a primary key whose value a {@link TsidKeyGenerator} makes unless the entity has one. */
export function tsidPrimaryColumn<Options extends Partial<EntitySchemaColumnOptions>>(
  options?: Options,
): Options & { type: 'bigint'; transformer: ValueTransformer; primary: true } {
  return { ...tsidColumn(options), primary: true };
}
