import { type ClassType, createUnionType } from 'type-graphql';

/**
 * Declares the result of a mutation that has one outcome so far. It is a union like that of every other mutation, so
 * that a document which handles unknown outcomes stays valid when a refusal is added.
 *
 * @param type the outcome; a plain object with its fields is recognized
 */
export function soleResult<Outcome extends object>(
  name: string,
  description: string,
  type: ClassType<Outcome>,
) {
  return createUnionType({ name, description, types: () => [type] as const, resolveType: () => type });
}
