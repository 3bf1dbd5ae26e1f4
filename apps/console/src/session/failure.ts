/** The refusal of a request that is not GraphQL, but is answered like it. */
export class RefusedRequest extends Error {
  private constructor(
    message: string,
    readonly code: string,
    readonly reason: string,
  ) {
    super(message);
  }

  static async of(response: Response): Promise<RefusedRequest> {
    const body: unknown = await response.json().catch(() => undefined);
    const { errors } = (body ?? {}) as { errors?: { message: string; extensions: RefusedRequest }[] };
    const { message = 'The gateway did not say why it refused this.', extensions } = errors?.[0] ?? {};
    return new RefusedRequest(
      message,
      extensions?.code ?? '',
      extensions?.reason ?? `HTTP ${response.status}`,
    );
  }
}

/** A readable message for any error. */
export function wordsOf(error: unknown): string {
  if (error instanceof TypeError) return 'The gateway could not be reached.';
  if (error instanceof Error) return error.message;
  return String(error);
}

/** The domain code of an error, such as SERIES_BUSY; undefined if it has none. */
export function reasonOf(error: unknown): string | undefined {
  return textIn(error, 'reason');
}

function textIn(error: unknown, name: 'code' | 'reason'): string | undefined {
  const text: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** Whether the caller's token was refused, so that only another one helps. */
export function isSignedOut(error: unknown): boolean {
  return textIn(error, 'code') === 'UNAUTHENTICATED';
}

/** Why a call was refused, if that is its outcome and not an error; undefined if it succeeded. */
export function refusalIn(outcome: unknown): string | undefined {
  if (typeof outcome !== 'object' || outcome === null || !('message' in outcome)) return undefined;
  const blocked = 'blockedReason' in outcome ? ` It is blocked because: ${outcome.blockedReason}` : '';
  return `${outcome.message}${blocked}`;
}

/**
 * The outcome of a call that was not refused.
 *
 * @throws Error that says why it was
 */
export function granted<Outcome>(outcome: Outcome): Exclude<Outcome, { readonly message: string }> {
  const refusal = refusalIn(outcome);
  if (refusal !== undefined) throw new Error(refusal);
  return outcome as Exclude<Outcome, { readonly message: string }>;
}
