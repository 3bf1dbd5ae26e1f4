import { type ASTNode, type GraphQLError, Kind, print } from 'graphql';

const VALUES: ReadonlySet<string> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
]);
/** Shorter texts reveal nothing and occur in messages by chance. */
const TELLING_LENGTH = 3;
/** The parser's description of a token that contains client input. */
const TOKEN_TEXT = /\b(Name|Int|Float|String|BlockString|Comment) "[\s\S]*"(?=\.$)/;

/**
 * Returns graphql-js's message about a rejected document, without the values in that document: they might be personal
 * data, and the client knows what it sent.
 */
export function wordsOf({ message, nodes, source }: GraphQLError): string {
  const values = (nodes ?? []).filter(({ kind }) => VALUES.has(kind));
  if (values.length > 0) return values.reduce(withoutValue, message);
  return source === undefined ? message : message.replace(TOKEN_TEXT, '$1');
}

function withoutValue(message: string, node: ASTNode): string {
  const text = 'value' in node && typeof node.value === 'string' ? node.value : '';
  const words = message.replaceAll(print(node), 'the given value').replace(`: ${text}`, '');
  return text.length >= TELLING_LENGTH && words.includes(text) ? 'A value does not fit its type.' : words;
}
