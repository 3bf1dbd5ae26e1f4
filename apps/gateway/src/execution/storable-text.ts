import { GraphQLError, type ValidationRule } from 'graphql';
import { badInput } from '../errors/gateway-error.js';

/*
 * Text that PostgreSQL cannot store: U+0000, and halves of characters outside the first plane. It is refused before any
 * package sees it, in the document once while that is validated, and in the variables of each request.
 */

const LONE_SURROGATE = /\p{Surrogate}/u;
const WHAT_TO_DO = 'Texts must be well-formed Unicode without U+0000; correct the text.';

/** For documents. */
export const storableTextRule: ValidationRule = (context) => ({
  StringValue(node) {
    if (isStorable(node.value)) return;
    context.reportError(
      new GraphQLError(WHAT_TO_DO, { nodes: node, extensions: { code: 'BAD_USER_INPUT' } }),
    );
  },
});

/** @throws {GatewayError} TEXT, when any text in the variables cannot be stored */
export function checkStorable(variable: unknown): void {
  if (typeof variable === 'string') {
    if (!isStorable(variable)) throw badInput('TEXT', WHAT_TO_DO);
  } else if (typeof variable === 'object' && variable !== null) {
    for (const part of Object.values(variable)) checkStorable(part);
  }
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}
