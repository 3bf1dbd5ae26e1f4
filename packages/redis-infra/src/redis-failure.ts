import { types } from 'node:util';

import { neverSent } from './command-deadline.js';
import type { RedisConnection } from './connect-redis.js';

/** On the failures of every copy of this package: a process can hold an ES module and a CommonJS copy. */
const FAILURE = Symbol.for('@solegate/redis-infra/failure');

/**
 * A call to Redis did not succeed. What the caller may conclude depends on the class, never on the text:
 *
 * | class | Redis has run the call | a caller may |
 * |---|---|---|
 * | {@link RedisUnavailableError} | surely not | try again, or go another way |
 * | {@link RedisOutcomeUnknownError} | nobody knows; it may even run later | repeat only what is idempotent |
 * | {@link RedisScriptError} | up to the command that failed | report it: the script or its data is wrong |
 *
 * `instanceof RedisFailure` also knows the failures of another copy of this package; `code` then distinguishes the classes.
 */
export abstract class RedisFailure extends Error {
  abstract readonly code: 'REDIS_UNAVAILABLE' | 'REDIS_OUTCOME_UNKNOWN' | 'REDIS_SCRIPT';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  static {
    Object.defineProperty(RedisFailure.prototype, FAILURE, { value: true });
  }

  /** Knows the errors of another copy of this package too, such as the one of the other module format. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the subclasses inherit this and keep the plain check
    if (this !== RedisFailure) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && FAILURE in value;
  }
}

/** Literal codes of all failures, for an exhaustive mapping. */
export type RedisFailureCode = RedisFailure['code'];

/** Redis could not be asked, or it refused before it ran anything: the call is surely not applied. */
export class RedisUnavailableError extends RedisFailure {
  readonly code = 'REDIS_UNAVAILABLE';
}

/** Redis was asked and gave no answer in time: the call may have been applied, or may still be. */
export class RedisOutcomeUnknownError extends RedisFailure {
  readonly code = 'REDIS_OUTCOME_UNKNOWN';
}

/** Redis ran the call and it failed there; what came before the failing command is applied. */
export class RedisScriptError extends RedisFailure {
  readonly code = 'REDIS_SCRIPT';
}

/** Replies by which a server refuses before it writes anything; scripts meet them at their first write. */
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

/** Said when nothing was written to a socket. */
const neverWritten = new Set([
  neverSent,
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Cluster isn't ready and enableOfflineQueue options is false",
]);

/** Cluster gave up following redirections; each of them was a refusal, unless another fault is named last. */
const redirectedTooOften =
  /^Too many Cluster redirections\. Last error: ReplyError: (?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN) /;

/** Whether a call made now can reach Redis, at once or out of the offline queue. */
export function mightSend({ status, options }: RedisConnection): boolean {
  return status === 'ready' || (status !== 'end' && options.enableOfflineQueue !== false);
}

/**
 * What a rejected Redis call means, also of a raw command such as `connection.get(…)`.
 *
 * @param error what ioredis rejected with
 * @param isSendable whether the connection could send when the call was made. Default: it could, so that what is in doubt
 *   is called unknown
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
  return new RedisOutcomeUnknownError(`Redis gave no answer: ${message}`, { cause });
}

/** A reply error repeats the command with all arguments (passwords, people's data), which no log may see. */
export function withoutArguments(error: unknown): Error {
  // Not instanceof: errors of Node itself may come from another realm.
  if (!types.isNativeError(error)) return new Error(String(error));
  if ('command' in error) error.command = undefined;
  return error;
}
