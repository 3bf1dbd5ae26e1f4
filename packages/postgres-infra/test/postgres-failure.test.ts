import { describe, expect, test } from '@jest/globals';
import {
  PostgresFailure,
  type PostgresFailureKind,
  postgresFailure,
  postgresFailureIn,
} from '../src/index.js';

const failing = (facts: object) => Object.assign(new Error('as the driver words it'), facts);

const MEANINGS: readonly (readonly [state: string, kind: PostgresFailureKind, retryable: boolean])[] = [
  ['08006', 'UNKNOWN', true],
  ['08P01', 'UNKNOWN', true],
  ['08001', 'UNAVAILABLE', true],
  ['22P02', 'REFUSED', false],
  ['23502', 'REFUSED', false],
  ['23514', 'REFUSED', false],
  ['25006', 'UNAVAILABLE', true],
  ['25P03', 'UNAVAILABLE', true],
  ['26000', 'MISCONFIGURED', false],
  ['28P01', 'MISCONFIGURED', false],
  ['3D000', 'MISCONFIGURED', false],
  ['40001', 'CONFLICT', true],
  ['40P01', 'CONFLICT', true],
  ['42501', 'MISCONFIGURED', false],
  ['42601', 'REFUSED', false],
  ['42P01', 'MISCONFIGURED', false],
  ['42P05', 'MISCONFIGURED', false],
  ['53100', 'UNAVAILABLE', true],
  ['53200', 'UNAVAILABLE', true],
  ['53300', 'UNAVAILABLE', true],
  ['55P03', 'BUSY', true],
  ['57014', 'BUSY', true],
  ['57P01', 'UNKNOWN', true],
  ['57P02', 'UNKNOWN', true],
  ['57P03', 'UNAVAILABLE', true],
  ['57P05', 'UNKNOWN', true],
  ['58030', 'UNAVAILABLE', true],
  ['P0001', 'REFUSED', false],
  ['XX000', 'REFUSED', false],
];

describe('a failure of PostgreSQL', () => {
  test.each(MEANINGS)('%s means %s, retryable: %s', (code, kind, retryable) => {
    expect(postgresFailure(failing({ code }), true)).toMatchObject({ kind, retryable, sqlState: code });
  });

  test('names the violated constraint, and is then not retryable', () => {
    const failure = postgresFailure(failing({ code: '23505', constraint: 'trips_pkey' }), true);
    expect(failure).toMatchObject({ kind: 'CONFLICT', constraint: 'trips_pkey', retryable: false });
  });

  test('gives advice if a person must act', () => {
    expect(postgresFailure(failing({ code: '42P01' }), true).message).toContain('Run the migrations');
    expect(postgresFailure(failing({ code: '42501' }), true).message).toContain('Grant the role');
    expect(postgresFailure(failing({ code: 'CERT_HAS_EXPIRED' }), false)).toMatchObject({
      kind: 'MISCONFIGURED',
      message: expect.stringContaining('CERT_HAS_EXPIRED'),
    });
  });

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'])(
    '%s means that no connection was made, whenever it is reported',
    (code) => {
      expect(postgresFailure(failing({ code }), true).kind).toBe('UNAVAILABLE');
    },
  );

  test.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])(
    '%s is unknown only after the statement was sent',
    (code) => {
      expect(postgresFailure(failing({ code }), true).kind).toBe('UNKNOWN');
      expect(postgresFailure(failing({ code }), false).kind).toBe('UNAVAILABLE');
      expect(postgresFailure(failing({ code, syscall: 'connect' }), true).kind).toBe('UNAVAILABLE');
    },
  );

  test('of a connection that was lost before anything was sent means not applied, whatever the server reported', () => {
    expect(postgresFailure(failing({ code: '57P01' }), false).kind).toBe('UNAVAILABLE');
    expect(postgresFailure(failing({ code: '28P01' }), false).kind).toBe('MISCONFIGURED');
  });

  test("keeps the driver's error as its cause, and is never classified twice", () => {
    const error = failing({ code: '40001' });
    const failure = postgresFailure(error, true);
    expect(failure.cause).toBe(error);
    expect(postgresFailure(failure, false)).toBe(failure);
    expect(postgresFailure('no error at all', true)).toBeInstanceOf(PostgresFailure);
  });

  test('is recognized among errors of any origin, and others are left alone', () => {
    expect(postgresFailureIn(failing({ code: '57014' }))?.kind).toBe('BUSY');
    expect(postgresFailureIn(failing({ code: 'ECONNRESET' }))?.kind).toBe('UNKNOWN');
    expect(postgresFailureIn(new Error('Connection terminated unexpectedly'))?.kind).toBe('UNKNOWN');
    expect(postgresFailureIn(new TypeError('a bug'))).toBeUndefined();
    expect(postgresFailureIn(failing({ code: 'BAD_USER_INPUT' }))).toBeUndefined();
    expect(postgresFailureIn(undefined)).toBeUndefined();
  });

  test('has a literal code, and is recognized across copies of the package', () => {
    const ours = new PostgresFailure('BUSY', 'a row is held');
    expect(ours.code).toBe('POSTGRES_BUSY');
    const brand = Symbol.for('@solegate/postgres-infra/failure');
    expect({ [brand]: true, kind: 'BUSY' }).toBeInstanceOf(PostgresFailure);
    expect(new Error('another')).not.toBeInstanceOf(PostgresFailure);
  });
});
