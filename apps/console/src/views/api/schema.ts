import {
  astFromValue,
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql';
import text from '../../../../gateway/schema.graphql?raw';

/**
 * The schema that the gateway was built with, bundled with the page, so introspection can stay off. The gateway's build
 * has validated it; validating it again would take longer than parsing it.
 */
export const SCHEMA = buildSchema(text, { noLocation: true, assumeValid: true });

/** A field, an argument, an enum value, or a member type. */
export interface Member {
  readonly name: string;
  /** Undefined for an enum value, and for a type. */
  readonly type: GraphQLOutputType | GraphQLInputField['type'] | undefined;
  readonly isType: boolean;
  readonly defaultText: string | undefined;
  readonly description: string;
  readonly deprecationReason: string;
  readonly args: readonly Member[];
}

const ROOTS = ['Query', 'Mutation', 'Subscription'];
const TYPES = Object.values(SCHEMA.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

/** All types in alphabetical order, root types first. */
export const TYPES_BY_KIND = [
  'Root types',
  'Objects',
  'Inputs',
  'Unions',
  'Interfaces',
  'Enums',
  'Scalars',
].map((kind) => ({ kind, types: TYPES.filter((type) => groupOf(type) === kind).toSorted(inOrder) }));

function inOrder(one: GraphQLNamedType, other: GraphQLNamedType): number {
  return ROOTS.indexOf(one.name) - ROOTS.indexOf(other.name) || one.name.localeCompare(other.name);
}

function groupOf(type: GraphQLNamedType): string {
  if (ROOTS.includes(type.name)) return 'Root types';
  if (isObjectType(type)) return 'Objects';
  if (isInputObjectType(type)) return 'Inputs';
  if (isUnionType(type)) return 'Unions';
  if (isInterfaceType(type)) return 'Interfaces';
  return isEnumType(type) ? 'Enums' : 'Scalars';
}

/** The members of a type; for an interface, its fields and the types that implement it. */
export function membersOf(type: GraphQLNamedType): readonly Member[] {
  if (isEnumType(type)) return type.getValues().map((value) => memberOf(value));
  if (isUnionType(type)) return type.getTypes().map((of) => memberOf(of, { isType: true }));
  if (isInputObjectType(type)) return Object.values(type.getFields()).map(inputOf);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const fields = Object.values(type.getFields()).map(fieldOf);
  const having = isInterfaceType(type) ? SCHEMA.getPossibleTypes(type) : [];
  return [...fields, ...having.map((of) => memberOf(of, { isType: true }))];
}

type Described = Pick<GraphQLField<unknown, unknown>, 'name'> & {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
};

function memberOf(
  { name, description, deprecationReason }: Described,
  more: Partial<Pick<Member, 'type' | 'isType' | 'defaultText' | 'args'>> = {},
): Member {
  return {
    name,
    description: description ?? '',
    deprecationReason: deprecationReason ?? '',
    type: undefined,
    isType: false,
    defaultText: undefined,
    args: [],
    ...more,
  };
}

function fieldOf(field: GraphQLField<unknown, unknown>): Member {
  return memberOf(field, { type: field.type, args: field.args.map(inputOf) });
}

function inputOf(input: GraphQLArgument | GraphQLInputField): Member {
  const value = astFromValue(input.defaultValue, input.type);
  return memberOf(input, { type: input.type, defaultText: value ? print(value) : undefined });
}

export interface Place {
  readonly type: string;
  /** Empty: the type itself. */
  readonly member: string;
  readonly description: string;
}

const PLACES: readonly Place[] = TYPES.toSorted(inOrder).flatMap((type) => [
  { type: type.name, member: '', description: type.description ?? '' },
  ...membersOf(type)
    .filter(({ isType }) => !isType)
    .map(({ name, description }) => ({ type: type.name, member: name, description })),
]);

/**
 * Finds a word: first in the names of types, then of fields, then in descriptions.
 *
 * @param word in lower case
 */
export function searchSchema(word: string): readonly Place[] {
  const rankOf = ({ type, member, description }: Place): number => {
    const name = (member || type).toLowerCase();
    if (name === word) return 0;
    if (name.includes(word)) return member === '' ? 1 : 2;
    return description.toLowerCase().includes(word) ? 3 : 4;
  };
  return PLACES.map((place) => ({ place, rank: rankOf(place) }))
    .filter(({ rank }) => rank < 4)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ place }) => place);
}
