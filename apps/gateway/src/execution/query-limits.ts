import { ApolloArmor } from '@escape.tech/graphql-armor';
import { GraphQLError, parse, type ValidationRule, visit } from 'graphql';
import { storableTextRule } from './storable-text.js';

/**
 * What one document may ask for. The rules run while a document is validated, so a document that the gateway has seen
 * before costs nothing; over WebSocket the same rules run at each subscription.
 */

/** Words of a document. The parser stops there, before a long document costs memory. */
export const TOKEN_MAX = 2_000;
/** A page of 100 trips with every field costs about 9,500. */
const COST_MAX = 12_000;
const DEPTH_MAX = 10;
const ALIAS_MAX = 30;
const DIRECTIVE_MAX = 20;
/** Pairs of fields of one name. A page with every field of the schema has some 5,000. */
const PAIR_MAX = 50_000;

/** Rules for depth, cost, aliases, directives and texts; each refusal is a 400 with the code GRAPHQL_VALIDATION_FAILED. */
export function queryLimitRules(): ValidationRule[] {
  const { validationRules } = new ApolloArmor({
    costLimit: { maxCost: COST_MAX },
    maxDepth: { n: DEPTH_MAX },
    maxAliases: { n: ALIAS_MAX },
    maxDirectives: { n: DIRECTIVE_MAX },
    maxTokens: { enabled: false },
    blockFieldSuggestion: { enabled: false },
  }).protect();
  return [...validationRules, storableTextRule];
}

/**
 * Looks at a document before it is validated: graphql-js compares each two fields that have one name in the answer, so
 * 4 kB of one field would keep the process busy for a good part of a second.
 *
 * @returns why it is not validated; undefined as well for a text that the parser refuses
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
  return new GraphQLError('The document repeats its fields too often; ask for less at once.', {
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
}
