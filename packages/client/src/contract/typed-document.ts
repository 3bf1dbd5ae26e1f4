import type { DocumentNode } from 'graphql';

/** A document that carries the types of its result and variables, for Apollo Client, urql and other GraphQL clients. */
export interface TypedDocument<Result, Variables> extends DocumentNode {
  /** Absent at run time: it only carries the two types. */
  readonly __apiType?: (variables: Variables) => Result;
}
