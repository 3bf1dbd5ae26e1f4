import { ApolloArmor } from '@escape.tech/graphql-armor';
import type { ValidationRule } from 'graphql';
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
