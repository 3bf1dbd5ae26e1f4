import { Ctx, Root } from 'type-graphql';
import { FieldResolver } from '../graphql/described.js';
import type { RequestContext } from '../graphql/request-context.js';
import { Project } from './coded-row.js';
import type { Loaders, MasterData } from './master-data.js';

type ParameterOf = (prototype: object, name: string, index: number) => void;

/** Gives a resolver a method with its decorator and those of its parameters, as if it were written in its class. */
export function defineMethod<Resolver extends object>(
  prototype: Resolver,
  name: string,
  value: (this: Resolver, ...given: never[]) => unknown,
  [decorate, ...parameters]: readonly [MethodDecorator, ...ParameterOf[]],
): void {
  Object.defineProperty(prototype, name, { value });
  for (const [index, parameter] of parameters.entries()) parameter(prototype, name, index);
  decorate(prototype, name, { value });
}

/** A field that can be null: its type, its description, and how it is found. */
export type FoundField<Find> = readonly [type: object, description: string, find: Find];

/** Gives a resolver fields whose values are found when they are requested. */
export function defineFields<Resolver extends object, Row>(
  prototype: Resolver,
  fields: Readonly<
    Record<string, FoundField<(this: Resolver, row: Row, context: RequestContext) => unknown>>
  >,
): void {
  for (const [name, [type, description, value]] of Object.entries(fields)) {
    const decorate = FieldResolver(() => type, description, { nullable: true });
    defineMethod(prototype, name, value, [decorate as MethodDecorator, Root(), Ctx()]);
  }
}

/** Gives a resolver fields that refer to master data: one query for all rows of a page loads what they refer to. */
export function defineReferences<Row>(
  prototype: { readonly data: MasterData },
  fields: Readonly<Record<string, FoundField<(row: Row, loaders: Loaders) => unknown>>>,
): void {
  const found = Object.entries(fields).map(([name, [type, description, find]]) => {
    function value(this: typeof prototype, row: Row, context: RequestContext) {
      return find(row, this.data.loaders(context));
    }
    return [name, [type, description, value] as const];
  });
  defineFields(prototype, Object.fromEntries(found));
}

/** Gives a resolver the field `project` of its rows. */
export function defineProject<Row>(
  prototype: { readonly data: MasterData },
  idOf: (row: Row) => bigint | string,
): void {
  defineReferences(prototype, {
    project: [
      Project,
      'The project it belongs to.',
      (row: Row, { projects }) => projects.load(BigInt(idOf(row))),
    ],
  });
}
