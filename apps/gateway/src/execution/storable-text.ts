import { GraphQLError, type ValidationRule } from 'graphql';
import { badInput } from '../errors/gateway-error.js';

/*
 * PostgreSQL cannot store U+0000 or lone surrogates. Texts that contain them are rejected before they reach any
 * package: in a document once, during validation, and in the variables of each request.
 */

const LONE_SURROGATE = /\p{Surrogate}/u;
const WHAT_TO_DO = 'Texts must be well-formed Unicode without U+0000; correct the text.';
/** Far deeper than any input of the schema. */
const VARIABLE_DEPTH_MAX = 32;
/** Twice the fields of the largest import. Small values take twenty times as much memory as text does. */
const VARIABLE_VALUES_MAX = 50_000;

/** Validation rule for documents. */
export const storableTextRule: ValidationRule = (context) => ({
  StringValue(node) {
    if (isStorable(node.value)) return;
    context.reportError(
      new GraphQLError(WHAT_TO_DO, { nodes: node, extensions: { code: 'BAD_USER_INPUT' } }),
    );
  },
});

/**
 * Checks variables iteratively: nesting costs heap proportional to the body, and no stack.
 *
 * @throws {GatewayError} TEXT if a text in the variables cannot be stored; VARIABLES_TOO_DEEP, TOO_MANY_VALUES
 */
export function checkStorable(variables: Readonly<Record<string, unknown>>): void {
  let level: unknown[] = Object.values(variables);
  let valueCount = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > VARIABLE_DEPTH_MAX) {
      throw badInput('VARIABLES_TOO_DEEP', `Variables can nest at most ${VARIABLE_DEPTH_MAX} levels deep.`);
    }
    valueCount += level.length;
    if (valueCount > VARIABLE_VALUES_MAX) {
      throw badInput('TOO_MANY_VALUES', `Variables can have at most ${VARIABLE_VALUES_MAX} values.`);
    }
    const deeper: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') {
        if (!isStorable(value)) throw badInput('TEXT', WHAT_TO_DO);
      } else if (typeof value === 'object' && value !== null) {
        for (const part of Object.values(value)) deeper.push(part);
      }
    }
    level = deeper;
  }
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}
