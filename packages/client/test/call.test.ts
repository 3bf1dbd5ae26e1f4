import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import {
  AbortedError,
  FaultError,
  OutcomeUnknownError,
  parseTsid,
  RefusedError,
  SolegateError,
  UnavailableError,
} from '../src/index.js';
import { AWAY, CUT, refusal, scripted, type Turn, UNKNOWN, UNREACHABLE } from './scripted-fetch.js';

const series = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };
const issued: Turn = {
  json: { data: { issueDocumentNumber: { __typename: 'DocumentNumber', number: 'TEAM-RFA-STR-2026-0001' } } },
};
const project: Turn = { json: { data: { createProject: { id: '1', code: 'A', name: 'A' } } } };
const offer = { tripId: parseTsid('5'), offerEpoch: 1 };
const BAD_GATEWAY: Turn = { status: 502, html: '<h1>Bad Gateway</h1>' };

async function errorOf(call: Promise<unknown>): Promise<SolegateError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SolegateError)) throw new Error(`no SolegateError: ${String(error)}`);
  return error;
}

describe('a mutation that accepts a key', () => {
  test.each([
    ['the reply is cut off', CUT],
    ['the outcome is unknown', UNKNOWN],
    ['a proxy answers with 502', BAD_GATEWAY],
    ['a store is away', AWAY],
    ['something else answers with 200', { status: 200, html: '<h1>Please log in</h1>' }],
  ])('is retried with the same key when %s', async (_what, turn) => {
    const { client, sent } = scripted([turn, turn, issued]);
    const result = await client.issueDocumentNumber({ input: series });
    expect(result.__typename).toBe('DocumentNumber');
    expect(sent).toHaveLength(3);
    const keys = new Set(sent.map(({ variables }) => variables.input?.idempotencyKey));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  test('gets a new key for each call', async () => {
    const { client, sent } = scripted([issued]);
    await client.issueDocumentNumber({ input: series });
    await client.issueDocumentNumber({ input: series });
    expect(sent[0]?.variables.input?.idempotencyKey).not.toBe(sent[1]?.variables.input?.idempotencyKey);
  });

  test("keeps the caller's key, given as an option or in the input", async () => {
    const { client, sent } = scripted([issued]);
    await client.issueDocumentNumber({ input: series }, { idempotencyKey: 'beside' });
    await client.issueDocumentNumber({ input: { ...series, idempotencyKey: 'inside' } });
    expect(sent.map(({ variables }) => variables.input?.idempotencyKey)).toEqual(['beside', 'inside']);
  });

  test('has the key where the API expects it', async () => {
    const { client, sent } = scripted([
      { json: { data: { replaceDocumentNumber: { __typename: 'PeriodClosed' } } } },
    ]);
    await client.replaceDocumentNumber({
      input: { number: 'A-1', reason: 'a mistake', replacement: series },
    });
    expect(sent[0]?.variables.input).toEqual({
      number: 'A-1',
      reason: 'a mistake',
      replacement: { ...series, idempotencyKey: expect.any(String) },
    });
  });

  test('that gets no answer is unknown, and the error has the key to retry with', async () => {
    const { client, sent } = scripted([CUT], { retry: { baseMs: 0, attemptMax: 3 } });
    const error = await errorOf(client.issueDocumentNumber({ input: series }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      reason: 'NO_ANSWER',
      operation: 'issueDocumentNumber',
      attemptCount: 3,
      outcomeUnknown: true,
      retryable: true,
      idempotencyKey: sent[0]?.variables.input?.idempotencyKey,
    });
  });

  test('stays unknown if the store is unavailable after a reply was lost', async () => {
    const { client } = scripted([CUT, AWAY], { retry: { baseMs: 0, attemptMax: 3 } });
    const error = await errorOf(client.issueDocumentNumber({ input: series }));
    expect(error).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      reason: 'STORE_UNAVAILABLE',
      outcomeUnknown: true,
    });
  });

  test('that is refused after a lost reply may still have been executed', async () => {
    const { client } = scripted([CUT, refusal('FORBIDDEN')]);
    const error = await errorOf(client.issueDocumentNumber({ input: series }));
    expect(error).toMatchObject({ code: 'FORBIDDEN', retryable: false, outcomeUnknown: true });
  });
});

describe('a mutation that a retry could execute twice', () => {
  const create = { input: { code: 'A', name: 'A' } };

  test.each([
    ['the reply is cut off', CUT],
    ['the outcome is unknown', UNKNOWN],
    ['a proxy answers with 502', BAD_GATEWAY],
  ])('is sent once when %s', async (_what, turn) => {
    const { client, sent } = scripted([turn, project]);
    const error = await errorOf(client.createProject(create));
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', outcomeUnknown: true, retryable: false });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['the store was away', AWAY],
    ['there were too many requests', refusal('RATE_LIMITED', { retryable: true, retryAfterMs: 1 })],
    ['a proxy did not get the request in time', { status: 408, html: 'again' }],
    ['a proxy saw too many requests', { status: 429, html: 'later' }],
    ['the connection was refused', UNREACHABLE],
  ])('is retried when %s, since nothing was done', async (_what, turn) => {
    const { client, sent } = scripted([turn, project]);
    expect(await client.createProject(create)).toEqual({ id: '1', code: 'A', name: 'A' });
    expect(sent).toHaveLength(2);
  });

  test('gets no key', async () => {
    const { client, sent } = scripted([project]);
    await client.createProject(create);
    expect(sent[0]?.variables).toEqual(create);
  });
});

test('an accept is retried without a key: the driver gets the same answer', async () => {
  const accepted = { __typename: 'TripAccepted', tripId: '5' };
  const { client, sent } = scripted([CUT, UNKNOWN, { json: { data: { acceptTrip: accepted } } }]);
  expect(await client.acceptTrip({ input: offer })).toEqual(accepted);
  expect(sent.map(({ variables }) => variables)).toEqual([
    { input: offer },
    { input: offer },
    { input: offer },
  ]);
});

describe('an undecided accept', () => {
  const undecided = (retryAfterMs: number): Turn => ({
    json: { data: { acceptTrip: { __typename: 'TripUndecided', retryAfterMs, tripId: '5', message: '' } } },
  });

  test('is retried', async () => {
    const taken: Turn = { json: { data: { acceptTrip: { __typename: 'TripTaken' } } } };
    const { client, sent } = scripted([undecided(1), undecided(1), taken]);
    expect((await client.acceptTrip({ input: offer })).__typename).toBe('TripTaken');
    expect(sent).toHaveLength(3);
  });

  test('may have won the trip if later attempts get no answer', async () => {
    const { client } = scripted([undecided(1), AWAY], { retry: { baseMs: 0, attemptMax: 3 } });
    const error = await errorOf(client.acceptTrip({ input: offer }));
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', outcomeUnknown: true, retryable: true });
  });

  test('is returned when no time is left for a retry', async () => {
    const { client, sent } = scripted([undecided(60_000)]);
    expect((await client.acceptTrip({ input: offer })).__typename).toBe('TripUndecided');
    expect(sent).toHaveLength(1);
  });
});

describe('a query', () => {
  const pool: Turn = { json: { data: { nodeFleet: { nodeCount: 1024 } } } };

  test.each([
    ['cut off', CUT],
    ['answered by a proxy', BAD_GATEWAY],
    ['of unknown outcome', UNKNOWN],
  ])('is retried when %s', async (_what, turn) => {
    const { client, sent } = scripted([turn, pool]);
    expect(await client.nodeFleet()).toEqual({ nodeCount: 1024 });
    expect(sent).toHaveLength(2);
  });

  test('that is never answered has changed nothing', async () => {
    const { client } = scripted([CUT], { retry: { baseMs: 0, attemptMax: 2 } });
    const error = await errorOf(client.nodeFleet());
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', outcomeUnknown: false, retryable: true });
  });

  test('that was answered in part is an error that contains the part', async () => {
    const errors = [
      { message: 'away', path: ['trip', 'rider'], extensions: { code: 'INTERNAL_SERVER_ERROR' } },
    ];
    const { client } = scripted([{ json: { data: { trip: { id: '5' } }, errors } }]);
    const error = await errorOf(client.trip({ id: parseTsid('5') }));
    expect(error).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', data: { trip: { id: '5' } } });
  });
});

describe('a refusal', () => {
  test.each([
    ['BAD_USER_INPUT', 'UNKNOWN_CODE'],
    ['NOT_FOUND', 'UNKNOWN_SERIES'],
    ['FAILED_PRECONDITION', 'SERIES_BLOCKED'],
    ['FORBIDDEN', 'NOT_YOUR_PROJECT'],
  ])('of %s is not retried', async (code, reason) => {
    const { client, sent } = scripted([refusal(code, { reason })]);
    const error = await errorOf(client.issueDocumentNumber({ input: series }));
    expect(error).toBeInstanceOf(RefusedError);
    expect(error).toMatchObject({ code, reason, message: 'no', retryable: false, outcomeUnknown: false });
    expect(sent).toHaveLength(1);
  });

  test('by something that is not the gateway has the HTTP status', async () => {
    const { client } = scripted([{ status: 404, html: 'no such page' }]);
    expect(await errorOf(client.nodeFleet())).toMatchObject({ code: 'NOT_FOUND', reason: 'HTTP_404' });
  });

  test('that asks for a longer pause than the time left ends the call immediately', async () => {
    const { client, sent } = scripted([refusal('RATE_LIMITED', { retryable: true, retryAfterMs: 60_000 })]);
    const error = await errorOf(client.nodeFleet());
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000, retryable: true });
    expect(sent).toHaveLength(1);
  });

  test('in a Retry-After header counts as well', async () => {
    const { client } = scripted([{ status: 503, json: { errors: [{ message: 'x' }] }, retryAfter: '3600' }]);
    expect(await errorOf(client.nodeFleet())).toMatchObject({ retryAfterMs: 3_600_000 });
  });
});

test('an internal error of the gateway has its incident ID, and the mutation may have been executed', async () => {
  const { client, sent } = scripted([refusal('INTERNAL_SERVER_ERROR', { incidentId: 'i-1' })]);
  const error = await errorOf(client.issueDocumentNumber({ input: series }));
  expect(error).toBeInstanceOf(FaultError);
  expect(error).toMatchObject({ incidentId: 'i-1', outcomeUnknown: true, retryable: false });
  expect(sent).toHaveLength(1);
});

describe('a token', () => {
  test('is requested once more when it is refused', async () => {
    const tokens = ['old', 'new'];
    const { client, sent } = scripted([refusal('UNAUTHENTICATED'), issued], {
      token: async () => tokens.shift(),
    });
    await client.issueDocumentNumber({ input: series });
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new']);
  });

  test('that is refused twice is an error after the second attempt', async () => {
    const { client, sent } = scripted([refusal('UNAUTHENTICATED')], { token: () => 'old' });
    expect(await errorOf(client.nodeFleet())).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(sent).toHaveLength(2);
  });

  test('that is a constant is not tried twice', async () => {
    const { client, sent } = scripted([refusal('UNAUTHENTICATED')], { token: 'old' });
    expect(await errorOf(client.nodeFleet())).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(sent).toHaveLength(1);
  });

  test('whose function fails is an error before anything is sent', async () => {
    const cause = new Error('signed out');
    const { client, sent } = scripted([issued], { token: () => Promise.reject(cause) });
    const error = await errorOf(client.issueDocumentNumber({ input: series }));
    expect(error).toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'NO_TOKEN',
      cause,
      outcomeUnknown: false,
    });
    expect(sent).toHaveLength(0);
  });
});

describe('every call ends', () => {
  test('when its time is up, even if fetch ignores the signal', async () => {
    const { client } = scripted(['silent'], { timeoutMs: 20 });
    const error = await errorOf(client.issueDocumentNumber({ input: series }));
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', reason: 'TIMEOUT', retryable: true });
  });

  test("when its own time limit passes, shorter than the client's", async () => {
    const { client } = scripted(['silent']);
    const error = await errorOf(client.nodeFleet({}, { timeoutMs: 20 }));
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'TIMEOUT', outcomeUnknown: false });
  });

  test('when the token function never resolves', async () => {
    const { client, sent } = scripted([issued], { timeoutMs: 20, token: () => new Promise(() => {}) });
    expect((await errorOf(client.issueDocumentNumber({ input: series }))).outcomeUnknown).toBe(false);
    expect(sent).toHaveLength(0);
  });

  test('in a retry when one attempt gets no answer', async () => {
    const { client, sent } = scripted(['silent', issued], { retry: { attemptTimeoutMs: 20, baseMs: 0 } });
    expect((await client.issueDocumentNumber({ input: series })).__typename).toBe('DocumentNumber');
    expect(new Set(sent.map(({ variables }) => variables.input?.idempotencyKey)).size).toBe(1);
  });

  test("with the caller's signal, whose reason is the cause", async () => {
    const { client, sent } = scripted(['silent']);
    const controller = new AbortController();
    const call = errorOf(client.issueDocumentNumber({ input: series }, { signal: controller.signal }));
    await until(() => sent.length === 1);
    const reason = new Error('the page was left');
    controller.abort(reason);
    const error = await call;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: 'ABORTED', cause: reason, outcomeUnknown: true });
  });

  test('before anything is sent if the signal is already aborted', async () => {
    const { client, sent } = scripted([issued]);
    const error = await errorOf(
      client.issueDocumentNumber({ input: series }, { signal: AbortSignal.abort() }),
    );
    expect(error).toMatchObject({ code: 'ABORTED', attemptCount: 0, outcomeUnknown: false });
    expect(sent).toHaveLength(0);
  });

  test('with the client', async () => {
    const { client } = scripted(['silent']);
    const call = errorOf(client.nodeFleet());
    await client.close();
    await client.close();
    expect(await call).toMatchObject({ code: 'ABORTED', reason: 'CLIENT_CLOSED' });
    expect(await errorOf(client.nodeFleet())).toMatchObject({ reason: 'CLIENT_CLOSED' });
  });
});

test.each([
  [{ timeoutMs: 0 }, RangeError],
  [{ timeoutMs: Number.POSITIVE_INFINITY }, RangeError],
  [{ idempotencyKey: 'k' }, TypeError],
])('invalid options of a call are refused before anything is sent: %j', async (options, error) => {
  const { client, sent } = scripted([issued]);
  await expect(client.acceptTrip({ input: offer }, options)).rejects.toThrow(error);
  expect(sent).toHaveLength(0);
});

test('variables that are not JSON are refused before anything is sent', async () => {
  const { client, sent } = scripted([issued]);
  await expect(client.trip({ id: 5n as never })).rejects.toThrow(TypeError);
  expect(sent).toHaveLength(0);
});

test.each([
  { url: '' },
  { url: '/graphql', timeoutMs: 0 },
  { url: '/graphql', timeoutMs: Number.NaN },
  { url: '/graphql', retry: { attemptMax: 0 } },
  { url: '/graphql', timeOutMs: 5 },
  { url: '/graphql', retry: { attemptsMax: 5 } },
])('invalid options are refused: %j', async (options) => {
  const { createClient } = await import('../src/index.js');
  expect(() => createClient(options)).toThrow(/url|timeoutMs|attemptMax/);
});
