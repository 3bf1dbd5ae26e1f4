/** One GraphQL operation. */
export interface Operation {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Its root field in the schema. */
  readonly field: string;
  /** The variable with which it resumes: after the `revision` of an event, or after its `cursor`. */
  readonly resumes?: 'afterRevision' | 'after';
  /** Its ID in `documents.json`. */
  readonly id: string;
  readonly text: string;
}

export type Variables = Readonly<Record<string, unknown>>;

/** Options of a call, passed after its variables. */
export interface CallOptions {
  /** Ends the call with an {@link AbortedError}; a mutation may still have been executed. */
  readonly signal?: AbortSignal;
  /**
   * For mutations that accept one, if a retry must survive this process: 1 to 200 characters, stored by the caller with
   * the intent. Default: a new key per call, used for all its attempts. Mutations that do not accept one throw.
   */
  readonly idempotencyKey?: string;
  /** Time limit of this call, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number;
}

/** Options of a subscription, passed after its variables. */
export interface SubscribeOptions {
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal;
  /** Called when events resume after a lost connection. */
  readonly onReconnect?: () => void;
}

/** A GraphQL response. */
export interface GraphqlResult {
  readonly data?: Variables | null;
  readonly errors?: readonly GraphqlError[];
}

interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Variables;
}
