import { type ClassType, createUnionType } from 'type-graphql';
import { Mutation } from './described.js';
import { Fields, field, InterfaceType } from './fields.js';

/**
 * A mutation. Its result is a union of all its outcomes, named after the mutation.
 *
 * @param resolveType returns the type of an outcome. Default: its class
 */
export function ResultMutation(
  outcomes: () => ClassType[],
  description: string,
  ofResult: string,
  resolveType?: (outcome: object) => ClassType,
): MethodDecorator {
  return (resolver, key, method) => {
    const field = String(key);
    const result = createUnionType({
      name: `${field.charAt(0).toUpperCase()}${field.slice(1)}Result`,
      description: ofResult,
      types: outcomes,
      ...(resolveType && { resolveType }),
    });
    Mutation(() => result, description)(resolver, key, method);
  };
}

/**
 * A mutation that has one outcome so far. Its result is a union all the same, so that a document which handles unknown
 * outcomes stays valid when a refusal is added.
 *
 * @param outcome a plain object with its fields is recognized
 */
export function SoleMutation(
  outcome: () => ClassType,
  description: string,
  ofResult: string,
): MethodDecorator {
  return ResultMutation(() => [outcome()], description, ofResult);
}

/** Creates a member of a union, which GraphQL recognizes by its class. */
export function memberOf<Member extends object>(type: new () => Member, fields: NoInfer<Member>): Member {
  return Object.assign(new type(), fields);
}

@InterfaceType(
  'Why a mutation did not do what it was asked to: an outcome for a person to act on, not an error.',
)
export abstract class Refusal extends Fields({
  message: field(String, 'Human-readable message: what happened and what to do.'),
}) {}
