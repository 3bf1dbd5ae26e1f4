/** One operation as it is sent. */
export interface Operation {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Its first field of the schema. */
  readonly field: string;
  /** Whether its events have a `revision`, after which `afterRevision` goes on. */
  readonly resumes?: boolean;
  readonly text: string;
}

export type Variables = Readonly<Record<string, unknown>>;

/** What a call may be given beside its variables. */
export interface CallOptions {
  /** Ends the call with an {@link AbortedError}; what it was to do may have been done. */
  readonly signal?: AbortSignal;
  /**
   * For mutations that take one, where a repeat must survive this process: 1 to 200 characters, kept by the caller together
   * with the intent. Default: a new one for each call, used for every attempt of that call. A mutation that takes none throws.
   */
  readonly idempotencyKey?: string;
  /** The call ends so long from now, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number;
}

/** What a subscription may be given beside its variables. */
export interface SubscribeOptions {
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal;
  /** Called when events come again after the connection was away. */
  readonly onReconnect?: () => void;
}

/** What GraphQL sends back. */
export interface GraphqlResult {
  readonly data?: Variables | null;
  readonly errors?: readonly GraphqlError[];
}

interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Variables;
}
