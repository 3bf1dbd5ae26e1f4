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
