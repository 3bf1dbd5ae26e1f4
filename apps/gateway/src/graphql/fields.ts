import type { GraphQLScalarType } from 'graphql';
import {
  ArgsType as argsType,
  InputType as inputType,
  InterfaceType as interfaceType,
  ObjectType as objectType,
  registerEnumType,
} from 'type-graphql';
import { Field, type FieldOptions } from './described.js';

/*
 * A type of the schema is a class with a table of its fields. The types of its properties follow from the table:
 *
 *   @ObjectType('New IDs.')
 *   class TsidsGenerated extends Fields({ ids: field([TsidScalar], 'The IDs, in ascending order.') }) {}
 */

type Presence = 'ALWAYS' | 'NULLABLE' | 'OPTIONAL';

function rowsOf<Kind extends Presence>(presence: Kind) {
  return <const Type extends object>(type: Type, description: string, options?: FieldOptions) => ({
    type,
    presence,
    description,
    options,
  });
}

/** A field that always has a value. */
export const field = rowsOf('ALWAYS');
/** A field that can be null. */
export const nullable = rowsOf('NULLABLE');
/** A field of an input that can be null or left out. */
export const optional = rowsOf('OPTIONAL');

/** What a type of the schema is in the code. */
type ValueOf<Type> = Type extends readonly [infer Item]
  ? readonly ValueOf<Item>[]
  : Type extends StringConstructor
    ? string
    : Type extends BooleanConstructor
      ? boolean
      : Type extends GraphQLScalarType<infer Internal, infer _External>
        ? // GraphQLSafeInt accepts texts as well, but no resolver gets one.
          number extends Internal
          ? number
          : Internal
        : Type extends abstract new (
              ...args: never
            ) => infer Instance
          ? Instance
          : Type[keyof Type];

interface Row {
  readonly type: object;
  readonly presence: Presence;
  readonly description: string;
  readonly options: FieldOptions | undefined;
}
type Table = Readonly<Record<string, Row>>;

/** The properties that a table describes. */
export type Shape<Rows extends Table> = {
  [Name in keyof Rows as Rows[Name]['presence'] extends 'OPTIONAL' ? never : Name]:
    | ValueOf<Rows[Name]['type']>
    | (Rows[Name]['presence'] extends 'NULLABLE' ? null | undefined : never);
} & {
  [Name in keyof Rows as Rows[Name]['presence'] extends 'OPTIONAL' ? Name : never]?:
    | ValueOf<Rows[Name]['type']>
    | null
    | undefined;
};

type Class<Instance extends object> = abstract new () => Instance;

const tables = new WeakMap<object, Table>();
const interfaces = new WeakSet<object>();
const described = new WeakSet<object>();

/** The class to extend for a type with these fields, in addition to those of `base`. */
export function Fields<Rows extends Table>(rows: Rows): new () => Shape<Rows>;
export function Fields<Base extends object, Rows extends Table>(
  base: Class<Base>,
  rows: Rows,
): new () => Base & Shape<Rows>;
export function Fields(...given: [Table] | [Class<object>, Table]): Class<object> {
  const base: Class<object> = given.length === 2 ? given[0] : Object;
  abstract class Owner extends base {}
  tables.set(Owner, given.length === 2 ? given[1] : given[0]);
  return Owner;
}

/** A class and those that it extends. */
function lineage(type: object | null): object[] {
  return type === null ? [] : [type, ...lineage(Object.getPrototypeOf(type))];
}

/** Once for a class, even if it is a type of results and of inputs. */
function describeFields(type: NewableFunction): void {
  if (described.has(type)) return;
  described.add(type);
  const rows: Table = Object.assign({}, ...lineage(type).map((owner) => tables.get(owner)));
  for (const [name, { type: fieldType, presence, description, options }] of Object.entries(rows)) {
    const nullability = presence === 'ALWAYS' ? {} : { nullable: true };
    // graphql-js reads a property by the name of the field, with nothing of type-graphql's in between.
    const simple = options?.name === undefined;
    Field(() => fieldType, description, { ...options, ...nullability, simple })(type.prototype, name);
  }
}

interface TypeFacts {
  readonly description: string;
  readonly implements: NewableFunction[];
}

function typeDecorator(declare: (name: string, facts: TypeFacts) => ClassDecorator) {
  /** @param options `name`: in the schema. Default: that of the class */
  return (description: string, { name }: { readonly name?: string } = {}) =>
    (type: NewableFunction): void => {
      const implemented = lineage(type).filter((base) => interfaces.has(base)) as NewableFunction[];
      declare(name ?? type.name, { description, implements: implemented })(type);
      describeFields(type);
    };
}

/** A type of results. It implements the interfaces that its class extends. */
export const ObjectType = typeDecorator(objectType);
export const InputType = typeDecorator(inputType);
export const InterfaceType = typeDecorator((name, facts) => (type) => {
  interfaces.add(type);
  interfaceType(name, facts)(type);
});

/** The arguments of several operations. */
export function ArgsType() {
  return (type: NewableFunction): void => {
    argsType()(type);
    describeFields(type);
  };
}

/**
 * Declares an enum by the values that the packages use, with a description of each. The API names a value in capitals.
 *
 * @returns the type of a field
 */
export function enumType<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
): Readonly<Record<string, Value>> {
  const described = Object.entries<string>(values).map(
    ([value, text]) => [value.toUpperCase().replace('+', '_AND_'), value as Value, text] as const,
  );
  const type = Object.fromEntries(described.map(([key, value]) => [key, value]));
  const valuesConfig = Object.fromEntries(described.map(([key, , text]) => [key, { description: text }]));
  registerEnumType(type, { name, description, valuesConfig });
  return type;
}
