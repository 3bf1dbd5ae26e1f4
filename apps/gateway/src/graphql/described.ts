import {
  type ArgOptions,
  Arg as argument,
  Field as field,
  FieldResolver as fieldResolver,
  Mutation as mutation,
  Query as query,
} from 'type-graphql';

/*
 * The decorators of type-graphql for what has a description in the schema, which is everything a client can name: each
 * takes it beside the type.
 */

type Type = () => object;
export type FieldOptions = Omit<ArgOptions, 'description'> & {
  readonly name?: string;
  readonly simple?: boolean;
};

function described<Decorator>(decorate: (type: Type, options: FieldOptions) => Decorator) {
  return (type: Type, description: string, options?: FieldOptions): Decorator =>
    decorate(type, { ...options, description } as FieldOptions);
}

export const Field = described<PropertyDecorator>(field);
export const FieldResolver = described(fieldResolver);
export const Query = described(query);
export const Mutation = described(mutation);

export function Arg(name: string, type: Type, description: string, options?: FieldOptions) {
  return argument(name, type, { ...options, description });
}
