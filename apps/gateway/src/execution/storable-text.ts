import { GraphQLError, type ValidationRule } from 'graphql';
import { badInput } from '../errors/gateway-error.js';

/*
 * Text that PostgreSQL cannot store: U+0000, and halves of characters outside the first plane. It is refused before any
 * package sees it, in the document once while that is validated, and in the variables of each request.
 */

const LONE_SURROGATE = /\p{Surrogate}/u;
const WHAT_TO_DO = 'Texts must be well-formed Unicode without U+0000; correct the text.';
/** No input of the schema nests deeper than a handful. */
const VARIABLE_DEPTH_MAX = 32;

/** For documents. */
export const storableTextRule: ValidationRule = (context) => ({
  StringValue(node) {
    if (isStorable(node.value)) return;
    context.reportError(
      new GraphQLError(WHAT_TO_DO, { nodes: node, extensions: { code: 'BAD_USER_INPUT' } }),
    );
  },
});

/**
 * Walks without recursion: what a client nests costs heap in the order of its body, and no stack.
 *
 * @throws {GatewayError} TEXT, when any text in the variables cannot be stored; VARIABLES_TOO_DEEP
 */
export function checkStorable(variables: Readonly<Record<string, unknown>>): void {
  let level: unknown[] = Object.values(variables);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > VARIABLE_DEPTH_MAX) {
      throw badInput('VARIABLES_TOO_DEEP', `Variables may nest ${VARIABLE_DEPTH_MAX} levels deep.`);
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
