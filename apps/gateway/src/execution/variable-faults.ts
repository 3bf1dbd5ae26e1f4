import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  print,
  typeFromAST,
} from 'graphql';
import { badInput } from '../errors/gateway-error.js';

const FAULTS_MAX = 10;

/**
 * Describes why variables do not match the operation, without repeating values, which might be personal data. Called
 * after the executor has rejected them. The error of a package's scalar takes precedence.
 */
export function variableFault(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  const faults: string[] = [];
  let original: unknown;
  for (const { variable, type: node, defaultValue } of variableDefinitions) {
    const type = typeFromAST(schema, node as never);
    if (!isInputType(type)) continue;
    const name = variable.name.value;
    const value = variables[name];
    if (value === undefined || value === null) {
      if (!isNonNullType(type) || (value === undefined && defaultValue !== undefined)) continue;
      faults.push(`Variable "$${name}" of type ${print(node)} is required.`);
      continue;
    }
    coerceInputValue(value, type, (path, _value, error: GraphQLError) => {
      original ??= error.originalError;
      const place = path.length === 0 ? '' : ` at "${path.join('.')}"`;
      faults.push(`Variable "$${name}"${place} does not fit: ${expectedAt(type, path)}.`);
    });
  }
  if (original !== undefined) return original;
  const message = faults.slice(0, FAULTS_MAX).join(' ') || 'The variables do not match the operation.';
  return badInput('VARIABLES', message);
}

/** Describes what is expected at a path inside a variable. */
function expectedAt(type: GraphQLInputType, path: readonly (string | number)[]): string {
  let at: GraphQLInputType = type;
  for (const step of path) {
    const inner: GraphQLInputType = getNullableType(at);
    if (isListType(inner)) at = inner.ofType;
    else if (isInputObjectType(inner)) at = inner.getFields()[step]?.type ?? inner;
  }
  const bare = getNullableType(at);
  if (!isInputObjectType(bare)) return `${String(at)} is expected`;
  const needed = Object.values(bare.getFields())
    .filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
    .map(({ name }) => name);
  const hint = bare.isOneOf
    ? ' with exactly one of its fields'
    : needed.length > 0
      ? ` with ${needed.join(', ')}`
      : '';
  return `${bare.name}${hint} is expected, without unknown fields`;
}
