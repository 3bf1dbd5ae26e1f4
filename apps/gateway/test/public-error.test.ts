import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import {
  CounterRegressionError,
  InvalidRequestError,
  NoFormatError,
  StoreMisconfiguredError,
  StoreUnavailableError,
  UnknownCodeError,
  UnknownTokenError,
} from '@solegate/doc-numbering';
import { postgresFailure } from '@solegate/postgres-infra';
import { RedisOutcomeUnknownError, RedisScriptError } from '@solegate/redis-infra';
import * as trips from '@solegate/trip-reservation';
import { ClockMovedBackwardsError, MalformedTsidError, NodeUnavailableError } from '@solegate/tsid-core';
import { NodesExhaustedError } from '@solegate/tsid-core/node-lease';
import { buildSchema, GraphQLError, parse, validate } from 'graphql';
import { pino } from 'pino';
import { ERROR_TABLE } from '../src/errors/error-table.js';
import { badInput, GatewayError } from '../src/errors/gateway-error.js';
import { IncidentLog } from '../src/errors/incident-log.js';
import { httpStatusOf } from '../src/errors/public-code.js';
import { publicErrorOf } from '../src/errors/public-error.js';

function logged() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, incidents: new IncidentLog(pino({ level: 'info' }, stream)) };
}

const answerTo = (error: unknown) => publicErrorOf(error, logged().incidents);

const LOGIN = Object.assign(new Error('password authentication failed'), { code: '28P01' });
const EXPIRED = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });

describe.each([
  ['a login that PostgreSQL refuses, as while its password is changed', LOGIN],
  ['a certificate of PostgreSQL that has expired', EXPIRED],
])('%s', (_name, cause) => {
  const refused = postgresFailure(cause, false);

  test.each([
    ['of an ORM', Object.assign(new Error('it failed'), { code: cause.code, driverError: cause })],
    ['of trips', new trips.StoreMisconfiguredError(refused, refused)],
    ['of numbers', new StoreMisconfiguredError('it failed', { cause: refused })],
  ])('%s: nothing was done, callers repeat, and an incident is logged', (_origin, error) => {
    const { lines, incidents } = logged();
    const answer = publicErrorOf(error, incidents);
    expect(answer).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      reason: 'STORE_UNAVAILABLE',
      retryable: true,
    });
    expect(lines).toHaveLength(1);
  });
});

describe('the error table', () => {
  test.each([
    [new NoFormatError('1', 'RFA', '2026-11-21'), 'NOT_FOUND', 'NO_FORMAT', false],
    [new UnknownCodeError('ORG', 'secret', 'does not exist'), 'BAD_USER_INPUT', 'UNKNOWN_CODE', false],
    [new UnknownTokenError('{SECRET}', 0, 'SECRET', ['ORG']), 'BAD_USER_INPUT', 'UNKNOWN_TOKEN', false],
    [new CounterRegressionError('c', 5, 9), 'FAILED_PRECONDITION', 'COUNTER_REGRESSION', false],
    [new StoreUnavailableError(), 'SERVICE_UNAVAILABLE', 'STORE_UNAVAILABLE', true],
    [new trips.TripNotFoundError(5n), 'NOT_FOUND', 'TRIP_NOT_FOUND', false],
    [new trips.OutcomeUnknownError(new Error('x')), 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN', true],
    [new MalformedTsidError('secret', 'digits'), 'BAD_USER_INPUT', 'MALFORMED_TSID', false],
    [new NodeUnavailableError('LOST'), 'SERVICE_UNAVAILABLE', 'NODE_UNAVAILABLE', true],
    [new ClockMovedBackwardsError(5, 3), 'SERVICE_UNAVAILABLE', 'CLOCK_MOVED_BACKWARDS', true],
    [new NodesExhaustedError(1024, 5), 'SERVICE_UNAVAILABLE', 'NODES_EXHAUSTED', true],
    [new RedisOutcomeUnknownError('x'), 'OUTCOME_UNKNOWN', 'REDIS_OUTCOME_UNKNOWN', true],
  ])('%s', (error, code, reason, retryable) => {
    const answer = answerTo(error);
    expect(answer).toMatchObject({ code, reason, retryable });
    expect(answer.message).not.toMatch(/secret/i);
    expect(answer.message.length).toBeGreaterThan(10);
    if (retryable) expect(answer.retryAfterMs).toBeGreaterThan(0);
  });

  test('maps every row to a public code with an HTTP status', () => {
    for (const { code } of Object.values(ERROR_TABLE)) expect(httpStatusOf(code)).toEqual(expect.any(Number));
  });

  test.each([
    [
      new trips.InvalidRequestError('tripId', 'must be a bigint from 1 to 9, such as a TSID'),
      'tripId must be a TSID from 1 to 9',
    ],
    [new InvalidRequestError('key', 'is not needed'), 'idempotencyKey: is not needed'],
    [new InvalidRequestError('holdMs', 'must be whole'), 'holdMs: must be whole'],
  ])('uses the API field names: %s', (error, words) => expect(answerTo(error).message).toBe(words));

  test('applies to errors wrapped by GraphQL', () => {
    const inner = new GraphQLError('inner', { originalError: new trips.TripNotFoundError(1n) });
    const outer = new GraphQLError('outer', { originalError: inner, path: ['trip'] });
    expect(answerTo(outer)).toMatchObject({ code: 'NOT_FOUND', reason: 'TRIP_NOT_FOUND' });
  });
});

describe('an error that is not in the table', () => {
  test.each([
    ["a library's error", new Error('connect to 10.0.0.7 with password hunter2')],
    ['an internal error', new RedisScriptError('ERR in hunter2.lua')],
    ['a thrown value that is not an Error', 'hunter2'],
    [
      'an unrelated error that has a code from the table',
      Object.assign(new Error('hunter2'), { code: 'BUSY' }),
    ],
  ])('%s is masked behind an incident ID and logged once', (_what, error) => {
    const { lines, incidents } = logged();
    const first = publicErrorOf(error, incidents, 'request-1');
    expect(first).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', reason: 'UNEXPECTED', retryable: false });
    expect(JSON.stringify(first)).not.toContain('hunter2');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(first.incidentId);
    expect(lines[0]).toContain('request-1');
    if (error instanceof Error) {
      expect(publicErrorOf(error, incidents).incidentId).toBe(first.incidentId);
      expect(lines).toHaveLength(1);
    }
  });

  test('an unreachable database is reported as unavailable, not as an incident', () => {
    for (const code of ['ECONNREFUSED', '57P03', '08004', '53300']) {
      const error = Object.assign(new Error('x'), { code });
      expect(answerTo(error)).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        reason: 'STORE_UNAVAILABLE',
        retryable: true,
      });
    }
    expect(answerTo(Object.assign(new Error('x'), { code: '23505' })).code).toBe('INTERNAL_SERVER_ERROR');
  });

  test('a database that stopped responding might have stored what it was sent', () => {
    for (const code of ['ECONNRESET', '57P01', '08006']) {
      const driverError = Object.assign(new Error('x'), { code });
      const error = Object.assign(new Error('of the ORM'), { code, driverError });
      expect(answerTo(error)).toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        reason: 'OUTCOME_UNKNOWN',
        retryable: true,
      });
    }
  });

  test('rejections by the gateway are returned unchanged', () => {
    expect(answerTo(badInput('COUNT', 'Give 1.'))).toEqual({
      message: 'Give 1.',
      code: 'BAD_USER_INPUT',
      reason: 'COUNT',
      retryable: false,
    });
    const limited = new GatewayError({
      code: 'RATE_LIMITED',
      reason: 'R',
      message: 'm',
      retryable: true,
      retryAfterMs: 5,
    });
    expect(answerTo(limited).retryAfterMs).toBe(5);
  });
});

describe('messages do not repeat values from a document', () => {
  const schema = buildSchema('type Query { one(count: Int, name: String): Int }');

  test.each([
    ['a value of the wrong type', '{ one(count: "hunter2") }', /Int cannot represent .*the given value/],
    ['a value with quotes', '{ one(count: "a\\" hunter2") }', /value/],
    ['a list', '{ one(name: ["hunter2"]) }', /value/],
  ])('%s', (_what, query, says) => {
    const [error] = validate(schema, parse(query));
    const worded = new GraphQLError(error?.message ?? '', {
      nodes: error?.nodes ?? [],
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
    expect(answerTo(worded).message).toMatch(says);
    expect(answerTo(worded).message).not.toContain('hunter2');
  });

  test('a string where a name is expected', () => {
    const error = syntaxErrorOf('{ one "hunter2" }');
    expect(answerTo(error).message).toBe('Syntax Error: Expected Name, found String.');
  });

  test('keep numbers and schema names', () => {
    const error = new GraphQLError('Query Cost limit of 12000 exceeded, found 13005.5.', {
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
    expect(answerTo(error).message).toBe('Query Cost limit of 12000 exceeded, found 13005.5.');
  });
});

function syntaxErrorOf(query: string): GraphQLError {
  try {
    parse(query);
  } catch (error) {
    const { message, source } = error as GraphQLError;
    return new GraphQLError(message, {
      ...(source && { source }),
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    });
  }
  throw new Error('it was well-formed');
}
