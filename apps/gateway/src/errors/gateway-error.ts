import type { PublicCode } from './public-code.js';

export interface GatewayErrorFacts {
  readonly code: PublicCode;
  /** The fine code, in capitals; stable, so that a client may branch on it. */
  readonly reason: string;
  /** Says what to do; a client sees it. */
  readonly message: string;
  /** Whether the same request may succeed later. Default false. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** A refusal of the gateway itself: identity, limits, and input that never reaches a domain package. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: PublicCode;
  readonly reason: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(facts: GatewayErrorFacts) {
    super(facts.message, { cause: facts.cause });
    this.code = facts.code;
    this.reason = facts.reason;
    this.retryable = facts.retryable ?? false;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** Input that is refused before anything is taken. */
export function badInput(reason: string, message: string): GatewayError {
  return new GatewayError({ code: 'BAD_USER_INPUT', reason, message });
}

/** Nobody reads it: it shows in logs and metrics that work was not begun. */
export function clientLeft(): GatewayError {
  return new GatewayError({
    code: 'CLIENT_LEFT',
    reason: 'CLIENT_LEFT',
    message: 'The client has closed the connection or its time was over, so this was not begun.',
    retryable: true,
  });
}

export function notFound(reason: string, message: string): GatewayError {
  return new GatewayError({ code: 'NOT_FOUND', reason, message });
}
