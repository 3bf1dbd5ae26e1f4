import { expect, test } from '@jest/globals';
import { sqlFailureOf } from '../src/sql/failure.js';

const failure = (code: string | undefined, message = 'failed') => Object.assign(new Error(message), { code });

test.each([
  ['a deadlock', failure('40P01'), 'RETRY'],
  ['a serialization failure', failure('40001'), 'RETRY'],
  ['a lock that was not obtained in time', failure('55P03'), 'RETRY'],
  ['a lost prepared statement', failure('26000'), 'UNPREPARED'],
  ['a prepared statement of somebody else', failure('42P05'), 'UNPREPARED'],
  ['too many connections', failure('53300'), 'UNAVAILABLE'],
  ['a wrong password', failure('28P01'), 'UNAVAILABLE'],
  ['a statement that took too long', failure('57014'), 'UNAVAILABLE'],
  ['a server that is read-only', failure('25006'), 'UNAVAILABLE'],
  ['a server that shuts down', failure('57P01'), 'UNKNOWN'],
  ['a protocol that broke', failure('08006'), 'UNKNOWN'],
  ['a missing table', failure('42P01'), 'FAULT'],
  ['a violated constraint', failure('23514'), 'FAULT'],
  ['nobody listening', failure('ECONNREFUSED'), 'UNAVAILABLE'],
  ['no such host', failure('ENOTFOUND'), 'UNAVAILABLE'],
  ['a broken connection', failure('ECONNRESET'), 'UNKNOWN'],
  ['a pipe that broke', failure('EPIPE'), 'UNKNOWN'],
  ['a connection that ended', failure(undefined, 'Connection terminated unexpectedly'), 'UNKNOWN'],
  [
    'a pool without a free connection',
    failure(undefined, 'timeout exceeded when trying to connect'),
    'UNAVAILABLE',
  ],
  ['silence', failure(undefined, 'Query read timeout'), 'SILENT'],
  ['what is no error', 'odd', 'UNKNOWN'],
])('%s', (_name, error, expected) => {
  expect(sqlFailureOf(error)).toBe(expected);
});
