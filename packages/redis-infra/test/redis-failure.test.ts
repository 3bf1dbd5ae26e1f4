import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';

import { RedisOutcomeUnknownError, RedisScriptError, RedisUnavailableError } from '../src/index.js';
import { redisFailure } from '../src/redis-failure.js';

function replyError(message: string): Error {
  const error = new Error(message);
  error.name = 'ReplyError';
  return Object.assign(error, { command: { name: 'auth', args: ['hunter2'] } });
}

test.each([
  'LOADING Redis is loading the dataset in memory',
  "READONLY You can't write against a read only replica.",
  "OOM command not allowed when used memory > 'maxmemory'.",
  'MISCONF Redis is configured to save RDB snapshots',
  'NOAUTH Authentication required.',
  'CLUSTERDOWN Hash slot not served',
  'NOREPLICAS Not enough good replicas to write.',
  'MASTERDOWN Link with MASTER is down',
])('a refusal means certainly not applied: %s', (message) => {
  expect(redisFailure(replyError(message), true)).toBeInstanceOf(RedisUnavailableError);
});

test.each([
  'WRONGTYPE Operation against a key holding the wrong kind of value',
  'ERR unknown command',
  'NOPERM this user has no permissions to run the command',
])('a command that failed in Redis is distinguished from a refusal: %s', (message) => {
  expect(redisFailure(replyError(message), true)).toBeInstanceOf(RedisScriptError);
});

test('a cluster that only ever redirected has applied nothing', () => {
  const error = new Error('Too many Cluster redirections. Last error: ReplyError: MOVED 1 127.0.0.1:1');
  expect(redisFailure(error, true)).toBeInstanceOf(RedisUnavailableError);
});

test('a cluster that stopped redirecting for another reason may have applied the call', () => {
  const error = new Error('Too many Cluster redirections. Last error: Error: Command timed out');
  expect(redisFailure(error, true)).toBeInstanceOf(RedisOutcomeUnknownError);
});

test('a closed connection means not applied only if the call was certainly not sent', () => {
  expect(redisFailure(new Error('Connection is closed.'), false)).toBeInstanceOf(RedisUnavailableError);
  expect(redisFailure(new Error('Connection is closed.'), true)).toBeInstanceOf(RedisOutcomeUnknownError);
});

test('an unrecognized error counts as unknown', () => {
  expect(redisFailure(new Error('a message of tomorrow'), true)).toBeInstanceOf(RedisOutcomeUnknownError);
  expect(redisFailure('not even an error', true)).toBeInstanceOf(RedisOutcomeUnknownError);
});

test('a failure is not classified twice, and has its cause and code', () => {
  const failure = redisFailure(new Error('Command timed out'), true);
  expect(redisFailure(failure, true)).toBe(failure);
  expect(failure).toMatchObject({ code: 'REDIS_OUTCOME_UNKNOWN', name: 'RedisOutcomeUnknownError' });
  expect(failure.cause).toMatchObject({ message: 'Command timed out' });
});

test('no part of the failure contains the arguments of the failed command', () => {
  expect(inspect(redisFailure(replyError('WRONGPASS invalid'), true))).not.toContain('hunter2');
});
