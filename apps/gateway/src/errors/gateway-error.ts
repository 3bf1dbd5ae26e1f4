import type { PublicCode } from './public-code.js';

export interface GatewayErrorFacts {
  readonly code: PublicCode;
  /** The detailed code, in capitals; stable, so that clients can branch on it. */
  readonly reason: string;
  /** Shown to clients; states what to do. */
  readonly message: string;
  /** Whether the same request might succeed later. Default false. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A rejection by the gateway itself: identity, limits, and input that never reaches a domain package. */
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

/** Input that is rejected before execution. */
export function badInput(reason: string, message: string): GatewayError {
  return new GatewayError({ code: 'BAD_USER_INPUT', reason, message });
}

/** Something that is needed is away; nothing was done. */
export function unavailable(reason: string, message: string, retryAfterMs?: number): GatewayError {
  return new GatewayError({ code: 'SERVICE_UNAVAILABLE', reason, message, retryable: true, retryAfterMs });
}

/** Never read by a client; it records in logs and metrics that the work was not started. */
export function clientLeft(): GatewayError {
  return new GatewayError({
    code: 'CLIENT_LEFT',
    reason: 'CLIENT_LEFT',
    message: 'The client disconnected before the work was started.',
    retryable: true,
  });
}

export function forbidden(reason: string, message: string): GatewayError {
  return new GatewayError({ code: 'FORBIDDEN', reason, message });
}

export function notFound(reason: string, message: string): GatewayError {
  return new GatewayError({ code: 'NOT_FOUND', reason, message });
}
