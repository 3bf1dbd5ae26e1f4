import type { DocumentNode } from 'graphql';

/** A document that knows its answer and its variables, as Apollo Client, urql and other GraphQL clients read it. */
export interface TypedDocument<Result, Variables> extends DocumentNode {
  /** Never called, and not there at run time: it carries the two types. */
  readonly __apiType?: (variables: Variables) => Result;
}
