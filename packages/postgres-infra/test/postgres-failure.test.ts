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

const DUPLICATE = 'duplicate key value violates unique constraint "thing_pkey"';
const TAKEN = { kind: 'CONFLICT', sqlState: '23505', constraint: 'thing_pkey' };

/** Errors as these libraries throw them. */
const SHAPES: readonly (readonly [library: string, error: Error, facts: object])[] = [
  ['pg', failing({ code: '23505', constraint: 'thing_pkey' }), TAKEN],
  ['postgres.js', failing({ code: '23505', constraint_name: 'thing_pkey' }), TAKEN],
  ['Drizzle', failing({ cause: failing({ code: '23505', constraint: 'thing_pkey' }) }), TAKEN],
  ['TypeORM', failing({ driverError: failing({ code: '23505', constraint: 'thing_pkey' }) }), TAKEN],
  [
    'Sequelize',
    failing({ name: 'SequelizeDatabaseError', original: failing({ code: '55P03' }) }),
    { kind: 'BUSY' },
  ],
  [
    'Prisma with its engine',
    failing({ code: 'P2010', meta: { code: '23505', message: `ERROR: ${DUPLICATE}` } }),
    TAKEN,
  ],
  [
    'Prisma with a driver adapter',
    failing({
      code: 'P2010',
      meta: {
        driverAdapterError: {
          name: 'DriverAdapterError',
          cause: {
            kind: 'UniqueConstraintViolation',
            constraint: { fields: ['id'] },
            originalCode: '23505',
            originalMessage: DUPLICATE,
          },
        },
      },
    }),
    TAKEN,
  ],
  [
    'Bun',
    failing({ code: 'ERR_POSTGRES_SERVER_ERROR', errno: '40001' }),
    { kind: 'CONFLICT', retryable: true },
  ],
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

  test('is not found in the errors of other programs', () => {
    const fetchFailed = new TypeError('fetch failed', { cause: failing({ code: 'ECONNREFUSED' }) });
    expect(postgresFailureIn(fetchFailed)).toBeUndefined();
    expect(postgresFailureIn(failing({ code: 'P2010' }))).toBeUndefined();
  });

  test.each([TypeError, ReferenceError])('is never made of a mistake: %p is thrown as it is', (Mistake) => {
    const mistake = new Mistake('session.query is not a function');
    expect(() => postgresFailure(mistake, true)).toThrow(mistake);
    expect(() => postgresFailure(mistake, false)).toThrow(mistake);
  });

  test.each(SHAPES)('is found where %s keeps it', (_, error, facts) => {
    expect(postgresFailure(error, true)).toMatchObject(facts);
    expect(postgresFailureIn(error)).toMatchObject(facts);
  });

  test('is found among circular causes, and kept if it is one of ours', () => {
    const circular = failing({ code: 'P2010' });
    Object.assign(circular, { cause: circular });
    expect(postgresFailure(circular, true).kind).toBe('UNKNOWN');
    const ours = new PostgresFailure('BUSY', 'a row is held');
    const wrapped = new Error('Failed query', { cause: ours });
    expect(postgresFailureIn(wrapped)).toBe(ours);
    expect(postgresFailure(wrapped, true)).toBe(ours);
  });

  test('of a transaction that Prisma ended is busy, since it was rolled back', () => {
    expect(postgresFailure(failing({ code: 'P2028' }), true).kind).toBe('BUSY');
  });

  test('has a literal code, and is recognized across copies of the package', () => {
    const ours = new PostgresFailure('BUSY', 'a row is held');
    expect(ours.code).toBe('POSTGRES_BUSY');
    const brand = Symbol.for('@solegate/postgres-infra/failure');
    expect({ [brand]: true, kind: 'BUSY' }).toBeInstanceOf(PostgresFailure);
    expect(new Error('another')).not.toBeInstanceOf(PostgresFailure);
  });
});
