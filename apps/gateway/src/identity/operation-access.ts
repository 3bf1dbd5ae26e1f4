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
import { forbidden } from '../errors/gateway-error.js';
import type { Identity } from './identity.js';
import { OPERATION_RULES, type OperationRule } from './operation-rules.js';

/** The root fields of an operation and their cost, read once per document. */
export interface OperationAccess {
  /** The root fields, such as `Mutation.acceptTrip`, including skipped fields and those in fragments. */
  readonly names: readonly string[];
  /** The root field for metrics and logs; `several` if there is more than one. */
  readonly name: string;
  /** Cost in points, regardless of variables. */
  readonly weight: number;
  /** Arguments that request several items at a time, and so add to the cost. */
  readonly counts: readonly OperationCount[];
}

interface OperationCount {
  /** The value in the document: a number or a variable. */
  readonly value: ValueNode;
  /** Path to the number inside the value. */
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

/**
 * Returns the cost of the operation in points, at least 1.
 *
 * @param variables including the defaults of those that were not sent
 */
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
 * Rejects the whole request if any of its root fields is forbidden for this caller, because partial execution would be
 * surprising.
 *
 * @throws {GatewayError} FORBIDDEN
 */
export function checkAccess(access: OperationAccess, identity: Identity): void {
  for (const name of access.names) {
    if (OPERATION_RULES[name]?.roles.some((role) => identity.roles.has(role))) continue;
    const needed = OPERATION_RULES[name]?.roles.join(', ') ?? 'none';
    throw forbidden(
      'ROLE_MISSING',
      `Allowed roles for ${name}: ${needed}. Your token has: ${[...identity.roles].join(', ') || 'none'}.`,
    );
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

/** Looks at each fragment once, as the executor does: a short document can spread its fragments millions of times. */
function rootFields(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  seen = new Set<FragmentDefinitionNode>(),
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(selection.selectionSet, fragments, seen);
    const fragment = fragments.get(selection.name.value);
    if (fragment === undefined || seen.has(fragment)) return [];
    seen.add(fragment);
    return rootFields(fragment.selectionSet, fragments, seen);
  });
}
