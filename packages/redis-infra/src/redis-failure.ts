import { types } from 'node:util';

import { neverSent } from './command-deadline.js';
import type { RedisCalls } from './redis-calls.js';

/** Marks the failures of every copy of this package: a process can load both an ES module and a CommonJS copy. */
const FAILURE = Symbol.for('@solegate/redis-infra/failure');

/**
 * A failed call to Redis. The class, never the text, determines what a caller can conclude:
 *
 * | class | Redis has run the call | what a caller can do |
 * |---|---|---|
 * | {@link RedisUnavailableError} | certainly not | retry, or do without |
 * | {@link RedisOutcomeUnknownError} | unknown; it might even run later | retry only if the call is idempotent |
 * | {@link RedisScriptError} | up to the command that failed | report it: the script or its data is wrong |
 *
 * `instanceof RedisFailure` also recognizes failures from another copy of this package; use `code` for their class.
 */
export abstract class RedisFailure extends Error {
  abstract readonly code: 'REDIS_UNAVAILABLE' | 'REDIS_OUTCOME_UNKNOWN' | 'REDIS_SCRIPT';

  /** Whether the same call may succeed later. For `REDIS_OUTCOME_UNKNOWN`: provided that it can safely run twice. */
  get retryable(): boolean {
    return this.code !== 'REDIS_SCRIPT';
  }

  static {
    Object.defineProperty(RedisFailure.prototype, FAILURE, { value: true });
  }

  /** Also recognizes errors from another copy of this package, such as one in the other module format. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the subclasses inherit this and keep the plain check
    if (this !== RedisFailure) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && FAILURE in value;
  }
}

/** The literal codes of all failures, for an exhaustive mapping. */
export type RedisFailureCode = RedisFailure['code'];

/** Redis was unreachable, or rejected the call before running anything: it is certainly not applied. */
export class RedisUnavailableError extends RedisFailure {
  override readonly name = 'RedisUnavailableError';
  readonly code = 'REDIS_UNAVAILABLE';
}

/** Redis did not reply in time: the call may have been applied, or might still be. */
export class RedisOutcomeUnknownError extends RedisFailure {
  override readonly name = 'RedisOutcomeUnknownError';
  readonly code = 'REDIS_OUTCOME_UNKNOWN';
}

/** The call failed while Redis ran it. Everything before the failing command is applied. */
export class RedisScriptError extends RedisFailure {
  override readonly name = 'RedisScriptError';
  readonly code = 'REDIS_SCRIPT';
}

/** Error replies of a server that has written nothing; scripts get them at their first write. */
const refusals = new Set([
  'ASK',
  'BUSY',
  'CLUSTERDOWN',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'MOVED',
  'NOAUTH',
  'NOREPLICAS',
  'OOM',
  'READONLY',
  'TRYAGAIN',
  'WRONGPASS',
]);

/** Error messages when nothing was written to a socket. */
const neverWritten = new Set([
  neverSent,
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Cluster isn't ready and enableOfflineQueue options is false",
]);

/** Cluster stopped following redirections. Each one was a refusal, unless the last error named is another fault. */
const redirectedTooOften =
  /^Too many Cluster redirections\. Last error: ReplyError: (?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN) /;

/** Returns whether a call made now can reach Redis, immediately or through the offline queue. */
export function mightSend({ status, options }: RedisCalls): boolean {
  return status === 'ready' || (status !== 'end' && options.enableOfflineQueue !== false);
}

/**
 * Classifies the rejection of a Redis call, including a raw command such as `connection.get(…)`.
 *
 * @param error the rejection of ioredis
 * @param isSendable whether the connection could send when the call was made. Default: true, so that a call in doubt
 *   counts as unknown
 */
export function redisFailure(error: unknown, isSendable = true): RedisFailure {
  if (error instanceof RedisFailure) return error;
  const cause = withoutArguments(error);
  const { message } = cause;
  if (cause.name === 'ReplyError') {
    const isRefusal = refusals.has(message.slice(0, message.indexOf(' ')));
    if (isRefusal) return new RedisUnavailableError(`Redis refused the call: ${message}`, { cause });
    return new RedisScriptError(`Redis could not run the call: ${message}`, { cause });
  }
  if (neverWritten.has(message) || redirectedTooOften.test(message)) {
    return new RedisUnavailableError('Redis is not connected; nothing was sent', { cause });
  }
  if (message === 'Connection is closed.' && !isSendable) {
    return new RedisUnavailableError('The Redis connection is closed; nothing was sent', { cause });
  }
  return new RedisOutcomeUnknownError(`Redis did not reply: ${message}`, { cause });
}

/** Removes the command from a reply error: its arguments (passwords, personal data) must not reach any log. */
export function withoutArguments(error: unknown): Error {
  // Not instanceof: errors from Node itself can belong to another realm.
  if (!types.isNativeError(error)) return new Error(String(error));
  if ('command' in error) error.command = undefined;
  return error;
}
