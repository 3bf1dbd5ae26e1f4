import { ApolloArmor } from '@escape.tech/graphql-armor';
import { GraphQLError, parse, type ValidationRule, visit } from 'graphql';
import { storableTextRule } from './storable-text.js';

/**
 * Limits for one document. The rules run during validation, so cached documents cost nothing. The same limits apply
 * over WebSocket.
 */

/** Tokens per document. The parser stops here, before a long document costs memory. */
export const TOKEN_MAX = 2_000;
const DEPTH_MAX = 10;
const ALIAS_MAX = 30;
const DIRECTIVE_MAX = 20;
/** Pairs of fields with the same name. A page with every field of the schema has about 5,000. */
const PAIR_MAX = 50_000;

/** Rules for depth, aliases, directives and texts; a violation is a 400 with code GRAPHQL_VALIDATION_FAILED. */
export function queryLimitRules(): ValidationRule[] {
  const { validationRules } = new ApolloArmor({
    // Checked with the variables, in operation-cost.ts.
    costLimit: { enabled: false },
    maxDepth: { n: DEPTH_MAX },
    maxAliases: { n: ALIAS_MAX },
    maxDirectives: { n: DIRECTIVE_MAX },
    maxTokens: { enabled: false },
    blockFieldSuggestion: { enabled: false },
  }).protect();
  return [...validationRules, storableTextRule];
}

/**
 * Checks a document before validation, because graphql-js compares every pair of fields that share a response name:
 * 4 kB of one repeated field would keep the process busy for a large part of a second.
 *
 * @returns the reason to reject it; undefined if there is none or if the text does not parse
 */
export function repetitionFault(text: string): GraphQLError | undefined {
  const counts = new Map<string, number>();
  try {
    visit(parse(text, { maxTokens: TOKEN_MAX, noLocation: true }), {
      Field({ alias, name }) {
        const key = (alias ?? name).value;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      },
    });
  } catch {
    return undefined;
  }
  const pairCount = [...counts.values()].reduce((sum, count) => sum + count * count, 0);
  if (pairCount <= PAIR_MAX) return undefined;
  return new GraphQLError('The document repeats its fields too often; request less at a time.', {
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
}
