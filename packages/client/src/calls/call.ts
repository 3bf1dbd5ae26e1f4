import { errorOf, type SolegateError } from '../contract/errors.js';
import type { Failure } from '../contract/failure.js';
import type { CallOptions, Operation, Variables } from '../contract/operation.js';
import { atLeast, type Settings } from '../wire/client-options.js';
import type { Connection } from '../wire/connection.js';
import { post } from '../wire/post.js';
import { limitTime, pause, TIME_IS_UP } from '../wire/time-limit.js';
import { isRepeated, newKey, type Repetition, repetitionOf, waitBefore, withKey } from './repetition.js';

/** Shared by all calls of a client. */
export interface CallContext {
  readonly settings: Settings;
  readonly connection: Connection;
  /** Aborts when the client is closed. */
  readonly closing: AbortSignal;
}

interface Given {
  readonly variables: Variables;
  readonly options: CallOptions;
}

/** @throws SolegateError; TypeError, RangeError for invalid options and for variables that are not JSON (a bigint) */
export async function call(name: string, operation: Operation, context: CallContext, given: Given) {
  return new Call(name, operation, context, given).run();
}

/** One call of one method: retried, where that is safe, until it gets a response or times out. */
class Call {
  readonly #repetition: Repetition;
  readonly #body: string;
  readonly #key: string | undefined;
  readonly #startedAtMs = performance.now();
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  #attemptCount = 0;
  /** Whether an attempt may have been executed. */
  #isUnknown = false;
  #hasRenewedToken = false;

  constructor(
    private readonly name: string,
    private readonly operation: Operation,
    private readonly context: CallContext,
    { variables, options }: Given,
  ) {
    this.#repetition = repetitionOf(operation);
    this.#timeoutMs = atLeast(1, 'timeoutMs', options.timeoutMs ?? context.settings.timeoutMs);
    const keyed = this.#withKey(variables, options.idempotencyKey);
    this.#key = keyed.key;
    const { id: documentId, text: query } = operation;
    this.#body = JSON.stringify({ documentId, query, variables: keyed.variables });
    this.#signal = options.signal;
  }

  async run(): Promise<unknown> {
    const limit = limitTime([this.#signal, this.context.closing], this.#timeoutMs);
    try {
      for (;;) {
        const attempt = limit.signal.aborted ? undefined : await this.#attempt(limit.signal);
        if (attempt !== undefined && attempt.failure === undefined) {
          const { data } = attempt;
          const value = onlyFieldOf(data);
          const waitMs = this.#undecidedMs(value);
          if (waitMs === undefined) return value;
          await pause(waitMs, limit.signal);
          if (limit.signal.aborted) throw this.#aborted(limit.signal.reason);
          continue;
        }
        if (isCallersEnd(limit.signal) || attempt === undefined) throw this.#aborted(limit.signal.reason);
        const waitMs = this.#waitAfter(attempt.failure);
        if (waitMs === undefined) throw this.#error(attempt.failure);
        await pause(waitMs, limit.signal);
        if (limit.signal.aborted) throw this.#aborted(limit.signal.reason);
      }
    } finally {
      limit.release();
    }
  }

  #withKey(variables: Variables, key: string | undefined) {
    if (typeof this.#repetition === 'object') {
      // With an ID of the caller's own, the trip is the same in a later call as well, which a new key would deny.
      const keyOf = ({ tripId }: Variables) => key ?? (tripId ? undefined : newKey());
      return withKey(variables, this.#repetition.keyIn, keyOf);
    }
    if (key === undefined) return { variables, key };
    throw new TypeError(`idempotencyKey: ${this.name} does not accept one`);
  }

  async #attempt(until: AbortSignal) {
    const { settings, connection } = this.context;
    this.#attemptCount += 1;
    const limit = limitTime([until], settings.attemptTimeoutMs);
    const attempt = await post(settings, this.#body, limit.signal);
    limit.release();
    const { failure } = attempt;
    if (failure === undefined) connection.answered(this.name);
    else if (!isCallersEnd(until)) connection.failed(this.name, failure);
    this.#isUnknown ||= failure !== undefined && !failure.isHarmless && this.operation.kind === 'mutation';
    return attempt;
  }

  /** Pause before the next attempt; undefined if there is none. */
  #waitAfter(failure: Failure): number | undefined {
    const { settings } = this.context;
    if (this.#attemptCount >= settings.attemptMax) return undefined;
    if (failure.code === 'UNAUTHENTICATED' && settings.canRenewToken && !this.#hasRenewedToken) {
      this.#hasRenewedToken = true;
      return 0;
    }
    if (!isRepeated(this.#repetition, failure)) return undefined;
    return this.#inTime(waitBefore(this.#attemptCount, settings, { ...failure, random: Math.random() }));
  }

  /** TripUndecided is retried while there is time; after that it is the result. */
  #undecidedMs(value: unknown): number | undefined {
    const { __typename, retryAfterMs } = (value ?? {}) as Record<string, unknown>;
    if (__typename !== 'TripUndecided' || typeof retryAfterMs !== 'number') return undefined;
    this.#isUnknown = true;
    if (this.#attemptCount >= this.context.settings.attemptMax) return undefined;
    return this.#inTime(retryAfterMs * (1 + Math.random() / 2));
  }

  #inTime(waitMs: number): number | undefined {
    return performance.now() - this.#startedAtMs + waitMs < this.#timeoutMs ? waitMs : undefined;
  }

  #aborted(cause: unknown): SolegateError {
    const isLate = cause === TIME_IS_UP;
    return this.#error({
      code: isLate ? 'OUTCOME_UNKNOWN' : 'ABORTED',
      reason: isLate ? 'TIMEOUT' : this.context.closing.aborted ? 'CLIENT_CLOSED' : 'ABORTED',
      message: isLate ? 'No response before the timeout' : 'The call was cancelled by its caller',
      isAnswered: true,
      isHarmless: true,
      retryable: isLate,
      cause,
    });
  }

  #error(failure: Failure): SolegateError {
    const { code } = failure;
    const retryable = isRepeated(this.#repetition, { ...failure, isHarmless: !this.#isUnknown });
    const facts = {
      ...failure,
      operation: this.name,
      attemptCount: this.#attemptCount,
      idempotencyKey: this.#key,
      outcomeUnknown: this.#isUnknown,
      retryable,
    };
    if (this.#isUnknown && failure.retryable) return errorOf('OUTCOME_UNKNOWN', facts);
    const isHarmless = !this.#isUnknown && code === 'OUTCOME_UNKNOWN';
    return errorOf(isHarmless ? 'SERVICE_UNAVAILABLE' : code, facts);
  }
}

function isCallersEnd(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason !== TIME_IS_UP;
}

/** Returns the value of the field if the operation selects only one, else all of `data`. */
export function onlyFieldOf(data: Variables): unknown {
  const fields = Object.values(data);
  return fields.length === 1 ? fields[0] : data;
}
