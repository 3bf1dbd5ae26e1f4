import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { parseDecimal, toDecimal } from '../codec/decimal.js';

/** The name and description of the scalar in the schema. */
export interface TsidScalarOptions {
  /** Default: `TSID`. */
  readonly name?: string;
  /** Default: a description of the format. */
  readonly description?: string;
}

/**
 * Creates a GraphQL scalar: a bigint in code, a canonical decimal string in JSON. Numbers are rejected in both
 * directions, because a JSON number above 2^53 arrives rounded to another ID.
 */
export function createTsidScalar(options: TsidScalarOptions = {}): GraphQLScalarType<bigint, string> {
  return new GraphQLScalarType<bigint, string>({
    name: options.name ?? 'TSID',
    description: options.description ?? '64-bit time-sorted ID, as a decimal string without leading zeros.',
    serialize: (value) => (typeof value === 'bigint' ? toDecimal(value) : toDecimal(readText(value))),
    parseValue: (value) => (typeof value === 'bigint' ? BigInt(toDecimal(value)) : readText(value)),
    parseLiteral: (literal) => {
      if (literal.kind === Kind.STRING) return readText(literal.value);
      const value = 'value' in literal ? literal.value : literal.kind;
      throw new GraphQLError(`A TSID must be a quoted decimal string, not ${value}.`, { nodes: literal });
    },
  });
}

/**
 * Creates a GraphQL scalar for layouts of at most 53 bits, such as TSID_53: a safe integer in code and in JSON. Texts and
 * numbers beyond 2^53 are rejected in both directions.
 */
export function createTsidNumberScalar(options: TsidScalarOptions = {}): GraphQLScalarType<number, number> {
  return new GraphQLScalarType<number, number>({
    name: options.name ?? 'TSIDNumber',
    description: options.description ?? '53-bit time-sorted ID, as a whole number below 2^53.',
    serialize: readNumber,
    parseValue: readNumber,
    parseLiteral: (literal) =>
      readNumber(literal.kind === Kind.INT ? Number(literal.value) : `literal ${literal.kind}`),
  });
}

/** The scalar of 53 bits under its default name, `TSIDNumber`. */
export const TsidNumberScalar: GraphQLScalarType<number, number> = createTsidNumberScalar();

/** The scalar under its default name, `TSID`. */
export const TsidScalar: GraphQLScalarType<bigint, string> = createTsidScalar();

function readText(value: unknown): bigint {
  if (typeof value !== 'string') {
    throw new GraphQLError(`A TSID must be a decimal string, not the ${typeof value} ${String(value)}.`);
  }
  try {
    return parseDecimal(value);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new GraphQLError(message, error instanceof Error ? { originalError: error } : {});
  }
}

function readNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new GraphQLError(`A TSIDNumber must be a whole number below 2^53, not ${String(value)}.`);
}
