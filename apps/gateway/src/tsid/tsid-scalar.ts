import { GraphQLScalarType } from 'graphql';

export const TsidScalar = new GraphQLScalarType<bigint, string>({ name: 'TSID' });
