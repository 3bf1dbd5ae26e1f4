import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { GatewayError } from '../errors/gateway-error.js';
import type { Identity } from './identity.js';
import { OPERATION_RULES, type OperationRule } from './operation-rules.js';

/** What an operation asks for at its root, read once per document. */
export interface OperationAccess {
  /** The root fields, such as `Mutation.acceptTrip`; skipped ones and those in fragments included. */
  readonly names: readonly string[];
  /** The root field for metrics and logs; `several` when there are more. */
  readonly name: string;
  /** Points that the operation costs, whatever its variables say. */
  readonly weight: number;
  /** Arguments that ask for many at once. */
  readonly counts: readonly OperationCount[];
}

interface OperationCount {
  /** As the document has it: a number or a variable. */
  readonly value: ValueNode;
  /** Where inside it the number is. */
  readonly path: readonly string[];
  readonly perPoint: number;
}

const known = new WeakMap<OperationDefinitionNode, OperationAccess>();

export function operationAccess(document: DocumentNode, operation: OperationDefinitionNode): OperationAccess {
  let access = known.get(operation);
  if (access === undefined) {
    access = readAccess(document, operation);
    known.set(operation, access);
  }
  return access;
}

/** Points that the operation costs with these variables, at least 1. */
export function weightOf(
  { weight, counts }: OperationAccess,
  variables: Readonly<Record<string, unknown>> = {},
): number {
  let points = weight;
  for (const { value, path, perPoint } of counts) {
    const count = path.reduce(
      (part: unknown, name) => (part as Record<string, unknown> | null | undefined)?.[name],
      valueFromASTUntyped(value, variables),
    );
    if (typeof count === 'number' && count > 0) points += Math.floor(count / perPoint);
  }
  return points;
}

/**
 * Refuses the whole request when one of its root fields is not for this caller: a request that may do half of what it
 * asks for is a surprise.
 *
 * @throws {GatewayError} FORBIDDEN
 */
export function checkAccess(access: OperationAccess, identity: Identity): void {
  for (const name of access.names) {
    if (OPERATION_RULES[name]?.roles.some((role) => identity.roles.has(role))) continue;
    const needed = OPERATION_RULES[name]?.roles.join(', ') ?? 'none';
    throw new GatewayError({
      code: 'FORBIDDEN',
      reason: 'ROLE_MISSING',
      message: `${name} is for the roles: ${needed}. Your token has: ${[...identity.roles].join(', ') || 'none'}.`,
    });
  }
}

function readAccess(document: DocumentNode, operation: OperationDefinitionNode): OperationAccess {
  const fragments = new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const kind = operation.operation;
  const typeName = kind.charAt(0).toUpperCase() + kind.slice(1);
  const fields = rootFields(operation.selectionSet, fragments).filter(
    ({ name }) => !name.value.startsWith('__'),
  );
  const names = fields.map(({ name }) => `${typeName}.${name.value}`);
  const weight = names.reduce((sum, name) => sum + (OPERATION_RULES[name]?.weight ?? 1), 0);
  const counts = fields.flatMap((field) =>
    countsOf(field, OPERATION_RULES[`${typeName}.${field.name.value}`]),
  );
  const [first = 'introspection'] = names;
  return { names, name: names.length > 1 ? 'several' : first, weight: Math.max(1, weight), counts };
}

function countsOf({ arguments: given = [] }: FieldNode, rule: OperationRule | undefined): OperationCount[] {
  if (rule?.counted === undefined) return [];
  const { argument, perPoint } = rule.counted;
  const [name, ...path] = argument.split('.');
  return given.filter((node) => node.name.value === name).map(({ value }) => ({ value, path, perPoint }));
}

/** Validation has refused circles of fragments by now. */
function rootFields(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(selection.selectionSet, fragments);
    const fragment = fragments.get(selection.name.value);
    return fragment === undefined ? [] : rootFields(fragment.selectionSet, fragments);
  });
}
