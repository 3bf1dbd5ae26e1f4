import { GraphQLError, type ValidationRule } from 'graphql';
import { badInput } from '../errors/gateway-error.js';

/*
 * PostgreSQL cannot store U+0000 or lone surrogates. Texts that contain them are rejected before they reach any
 * package: in a document once, during validation, and in the body of each request.
 */

const LONE_SURROGATE = /\p{Surrogate}/u;
const WHAT_TO_DO = 'Texts must be well-formed Unicode without U+0000; correct the text.';
/** Far deeper than any input of the schema. */
const DEPTH_MAX = 32;
/** Twice the fields of the largest import. Small values take twenty times as much memory as text does. */
const VALUES_MAX = 50_000;

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
 * Checks all that a body consists of: its variables, its extensions, and members that nobody reads. The document has its
 * own rule.
 *
 * @throws {GatewayError} TEXT if a text in a variable cannot be stored; VARIABLES_TOO_DEEP, TOO_MANY_VALUES
 */
export function checkStorable(body: Readonly<Record<string, unknown>>): void {
  checkParts(body, 0, VALUES_MAX);
}

/** @returns how many more values there may be */
function checkParts(parts: object, depth: number, valuesLeft: number): number {
  let left = valuesLeft;
  for (const part of Object.values(parts)) {
    left -= 1;
    if (left < 0) throw badInput('TOO_MANY_VALUES', `A request can have at most ${VALUES_MAX} values.`);
    if (typeof part === 'string') {
      if (depth > 0 && !isStorable(part)) throw badInput('TEXT', WHAT_TO_DO);
    } else if (typeof part === 'object' && part !== null) {
      if (depth === DEPTH_MAX) throw tooDeep();
      left = checkParts(part, depth + 1, left);
    }
  }
  return left;
}

function tooDeep() {
  return badInput(
    'VARIABLES_TOO_DEEP',
    `Variables and extensions can nest at most ${DEPTH_MAX} levels deep.`,
  );
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}
