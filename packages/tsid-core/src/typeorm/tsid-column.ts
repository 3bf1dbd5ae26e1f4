import type { EntitySchemaColumnOptions, ValueTransformer } from 'typeorm';
import { parseDecimal } from '../codec/decimal.js';
import { MalformedTsidError, TsidError, TsidOutOfRangeError } from '../codec/tsid-error.js';

/**
 * What the property is in code: a `bigint`; decimal text, which `JSON.stringify` accepts; or a `number`, for layouts of at
 * most 53 bits.
 */
export type TsidForm = 'bigint' | 'string' | 'number';

/** A TSID in one of its forms. */
export type TsidValue = bigint | string | number;

/** A key column was to be inserted without a value. Nothing was sent. */
export class TsidKeyMissingError extends TsidError {
  readonly code = 'TSID_KEY_MISSING';
  readonly retryable = false;

  /** @param columns those that nothing fills in, such as `Order.id`; empty if one has just been inserted */
  constructor(readonly columns: readonly string[] = []) {
    super(
      `${columns.length === 0 ? 'A TSID key' : `The TSID key ${columns.join(', ')}`} has no value, and nothing ` +
        'generates one: call generateTsidKeys(dataSource, generator) once, before the first insert.',
    );
  }
}

interface TsidTransformer extends ValueTransformer {
  readonly as: TsidForm;
  readonly isKey: boolean;
}

/** Brings an ID, as a bigint, into the form of a property. */
export function inForm(id: bigint, as: TsidForm): TsidValue {
  if (as === 'bigint') return id;
  if (as === 'string') return id.toString();
  const number = Number(id);
  if (Number.isSafeInteger(number)) return number;
  throw new TsidOutOfRangeError('id', id, `The id ${id} exceeds 53 bits: use another form, or TSID_53.`);
}

function transformer(as: TsidForm, isKey: boolean): TsidTransformer {
  return {
    as,
    isKey,
    to(value: unknown): unknown {
      if (value === undefined && isKey) throw new TsidKeyMissingError();
      const id = typeof value === as && as !== 'bigint' ? given(value as string | number) : value;
      if (typeof id !== 'bigint') return id;
      if (BigInt.asUintN(64, id) !== id) throw new TsidOutOfRangeError('id', id, '0 to 2^64 - 1');
      return BigInt.asIntN(64, id).toString();
    },
    from(value: unknown): unknown {
      if (typeof value === 'number' && !Number.isSafeInteger(value)) {
        throw new MalformedTsidError(value, 'an unrounded BIGINT: configure the driver to return it');
      }
      return typeof value === 'string' || typeof value === 'number'
        ? inForm(BigInt.asUintN(64, BigInt(value)), as)
        : value;
    },
  };
}

function given(value: string | number): bigint {
  if (typeof value === 'string') return parseDecimal(value);
  if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new MalformedTsidError(value, 'a safe integer from 0');
}

const FORMS = ['bigint', 'string', 'number'] as const;
const columns = new Map(FORMS.map((as) => [as, transformer(as, false)]));
const keys = new Map(FORMS.map((as) => [as, transformer(as, true)]));

/** Returns the form of a column that a generator fills in, or undefined for any other column. */
export function keyFormOf(of: unknown): TsidForm | undefined {
  return FORMS.find((as) => keys.get(as) === of);
}

/**
 * Maps a TSID to a BIGINT column: a bigint in code, decimal text on the wire, since a JavaScript number would round it.
 * IDs of 2^63 and above, which only layouts with range `unsigned` make, are stored as negative numbers of equal bits.
 */
export const tsidTransformer: ValueTransformer = columns.get('bigint') as ValueTransformer;

type ColumnOptions = Partial<EntitySchemaColumnOptions> & {
  /** What the property is in code. Default: `bigint`. */
  readonly as?: TsidForm;
};

/** Returns column options for an EntitySchema or `@Column(tsidColumn())`. */
export function tsidColumn<Options extends ColumnOptions>(
  options?: Options,
): Omit<Options, 'as'> & { type: 'bigint'; transformer: ValueTransformer } {
  return column(options, columns);
}

/**
 * Returns options of a primary key that {@link generateTsidKeys} fills in unless the entity has a value. An `upsert` or
 * `orIgnore` that meets an existing row returns the key it generated, not the one in the table: read that row again.
 */
export function tsidPrimaryColumn<Options extends ColumnOptions>(
  options?: Options,
): Omit<Options, 'as'> & { type: 'bigint'; transformer: ValueTransformer; primary: true } {
  return { ...column(options, keys), primary: true };
}

function column<Options extends ColumnOptions>(
  options: Options | undefined,
  transformers: ReadonlyMap<TsidForm, TsidTransformer>,
): Omit<Options, 'as'> & { type: 'bigint'; transformer: ValueTransformer } {
  const { as = 'bigint', ...rest } = options ?? ({} as Options);
  return {
    ...(rest as Omit<Options, 'as'>),
    type: 'bigint',
    transformer: transformers.get(as) as ValueTransformer,
  };
}
