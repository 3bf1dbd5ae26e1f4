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
 * The schema as the gateway was built with it: it comes with the page, so introspection may stay off. The gateway's build
 * has checked it; to check it again would take more time than to read it.
 */
export const SCHEMA = buildSchema(text, { noLocation: true, assumeValid: true });

/** A field, an argument, an enum value, or a type that another is made of. */
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

/** All types in the order of the alphabet, the root types first. */
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

/** What a type consists of; for an interface, its fields and the types that have them. */
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
 * Where a word stands: types with the word in their name first, then fields, then what only speaks of it.
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
