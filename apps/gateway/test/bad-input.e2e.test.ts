import { beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { buildGatewaySchema } from '../src/assembly/schema.js';
import { gatewayOfFile } from './gateway-fixture.js';

/** Bad input is refused with a code, a reason and advice, and consumes nothing. */
const gateway = gatewayOfFile();

beforeAll(async () => {
  const { errors } = await gateway.ask(`mutation {
    createCorrespondenceType(input: { code: "BARE", name: "A type without a format" }) { ... on CorrespondenceType { id } }
  }`);
  expect(errors).toEqual([]);
});

const series = (changes: Readonly<Record<string, string>>): string => {
  const codes = {
    projectCode: 'DEMO',
    organizationCode: 'TEAM',
    typeCode: 'RFA',
    disciplineCode: 'STR',
    ...changes,
  };
  return Object.entries(codes)
    .map(([name, code]) => `${name}: ${JSON.stringify(code)}`)
    .join(', ');
};
const issue = (changes: Readonly<Record<string, string>> = {}): string =>
  `mutation { issueDocumentNumber(input: { ${series(changes)} }) { ... on DocumentNumber { number } } }`;
const issueMany = (count: number): string =>
  `mutation { issueDocumentNumbers(input: { ${series({})}, count: ${count} }) { __typename } }`;
const saveFormat = (template: string): string => `mutation {
  saveDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "MEMO", template: ${JSON.stringify(template)} }) { ... on DocumentNumberFormat { version } }
}`;

interface BadInput {
  readonly what: string;
  readonly query: string;
  readonly status?: number;
  readonly code?: string;
  readonly reason: string;
  readonly says: RegExp;
}

const BAD_INPUTS: readonly BadInput[] = [
  {
    what: 'an unknown project',
    query: issue({ projectCode: 'NOPE' }),
    reason: 'UNKNOWN_CODE',
    says: /no project .*create it first/,
  },
  {
    what: 'an unknown organisation',
    query: issue({ organizationCode: 'NOPE' }),
    reason: 'UNKNOWN_CODE',
    says: /no organization .*create it first/,
  },
  {
    what: 'an unknown type',
    query: issue({ typeCode: 'NOPE' }),
    reason: 'UNKNOWN_CODE',
    says: /no correspondence type .*create it first/,
  },
  {
    what: 'an unknown discipline',
    query: issue({ disciplineCode: 'NOPE' }),
    reason: 'UNKNOWN_CODE',
    says: /DISCIPLINE code does not exist; create it first/,
  },
  {
    what: 'a type without a format',
    query: issue({ typeCode: 'BARE' }),
    status: 404,
    code: 'NOT_FOUND',
    reason: 'UNKNOWN_SERIES',
    says: /save a format .*saveDocumentNumberFormat/,
  },
  {
    what: 'a preview of a type without a format',
    query: `{ documentNumberPreview(input: { ${series({ typeCode: 'BARE' })} }) { number } }`,
    status: 404,
    code: 'NOT_FOUND',
    reason: 'UNKNOWN_SERIES',
    says: /saveDocumentNumberFormat/,
  },
  ...['2026-13-45', 'infinity', '2026-02-30', 'today'].map((date) => ({
    what: `the date ${date}`,
    query: issue({ date }),
    code: 'GRAPHQL_VALIDATION_FAILED',
    reason: 'GRAPHQL_VALIDATION_FAILED',
    says: /LocalDate/,
  })),
  ...['dateFrom', 'dateTo'].map((name) => ({
    what: `a ${name} in the year 0`,
    query: `{ documentNumbers(filter: { ${name}: "0000-01-01" }) { edges { cursor } } }`,
    reason: 'INVALID_REQUEST',
    says: /0000-01-01/,
  })),
  {
    what: 'an offer in the year 0',
    query: 'mutation { requestTrip(input: { offerAt: "0000-01-01T00:00:00Z" }) { ... on Trip { id } } }',
    reason: 'INVALID_REQUEST',
    says: /offerAt must be a Date after 1970/,
  },
  {
    what: 'an empty idempotency key',
    query: issue({ idempotencyKey: '' }),
    reason: 'IDEMPOTENCY_KEY',
    says: /1 to 200 characters/,
  },
  {
    what: 'an idempotency key with a line break',
    query: issue({ idempotencyKey: 'a\nb' }),
    reason: 'IDEMPOTENCY_KEY',
    says: /without line breaks/,
  },
  {
    what: "a trip's idempotency key with a line break",
    query: 'mutation { requestTrip(input: { idempotencyKey: "a\\nb" }) { ... on Trip { id } } }',
    reason: 'IDEMPOTENCY_KEY',
    says: /without line breaks/,
  },
  {
    what: 'an offer with no drivers',
    query: 'mutation { requestTrip(input: { offeredTo: [] }) { ... on Trip { id } } }',
    reason: 'OFFERED_TO',
    says: /1 to 500/,
  },
  {
    what: 'a number identified in two ways',
    query: '{ documentNumber(by: { id: "1", number: { projectCode: "DEMO", number: "x" } }) { id } }',
    code: 'GRAPHQL_VALIDATION_FAILED',
    reason: 'GRAPHQL_VALIDATION_FAILED',
    says: /exactly one/i,
  },
  { what: 'count 0', query: issueMany(0), reason: 'INVALID_REQUEST', says: /count.*1 .*1,?000/ },
  {
    what: 'a count above the limit',
    query: issueMany(1_001),
    reason: 'INVALID_REQUEST',
    says: /count.*1 .*1,?000/,
  },
  {
    what: 'an unknown token',
    query: saveFormat('{ORG}-{NONSENSE}-{YEAR}-{SEQ:4}'),
    reason: 'UNKNOWN_TOKEN',
    says: /unknown token at position 6.*DISCIPLINE/,
  },
  {
    what: 'a token that is the name of an inherited property',
    query: saveFormat('{__proto__}-{ORG}-{DISCIPLINE}-{YEAR}-{SEQ:4}'),
    reason: 'UNKNOWN_TOKEN',
    says: /unknown token at position 0/,
  },
  {
    what: 'a template without a sequence',
    query: saveFormat('{ORG}-{DISCIPLINE}-{YEAR}'),
    reason: 'INVALID_FORMAT',
    says: /SEQ/,
  },
  {
    what: 'a template that omits a dimension',
    query: saveFormat('{ORG}-{YEAR}-{SEQ:4}'),
    reason: 'AMBIGUOUS_FORMAT',
    says: /could print the same number/,
  },
  {
    what: 'a malformed TSID',
    query: '{ tsid(id: "12x") { node } }',
    reason: 'MALFORMED_TSID',
    says: /decimal digits/,
  },
  {
    what: 'a TSID given as a number',
    query: '{ tsid(id: 12) { node } }',
    code: 'GRAPHQL_VALIDATION_FAILED',
    reason: 'GRAPHQL_VALIDATION_FAILED',
    says: /quoted decimal string/,
  },
  {
    what: 'a TSID above 64 bits',
    query: '{ tsid(id: "18446744073709551616") { node } }',
    reason: 'MALFORMED_TSID',
    says: /decimal digits/,
  },
  {
    what: 'a request for 0 TSIDs',
    query: 'mutation { generateTsids(count: 0) { ... on TsidsGenerated { ids } } }',
    reason: 'COUNT',
    says: /1 to 10000/,
  },
  {
    what: 'an empty page',
    query: '{ trips(first: 0) { pageInfo { hasNextPage } } }',
    reason: 'PAGE_SIZE',
    says: /1 to 100/,
  },
  {
    what: 'a foreign cursor',
    query: '{ trips(after: "!!") { pageInfo { hasNextPage } } }',
    reason: 'CURSOR',
    says: /endCursor/,
  },
  {
    what: 'a trip that does not exist',
    query: 'mutation { acceptTrip(input: { tripId: "77", offerEpoch: 1 }) { __typename } }',
    status: 404,
    code: 'NOT_FOUND',
    reason: 'TRIP_NOT_FOUND',
    says: /no such trip/,
  },
  {
    what: 'a trip ID from the future',
    query: 'mutation { requestTrip(input: { tripId: "9000000000000000000" }) { ... on Trip { id } } }',
    reason: 'TRIP_ID_IN_FUTURE',
    says: /generateTsids/,
  },
  {
    what: 'an impossible place',
    query:
      'mutation { requestTrip(input: { pickup: { latitude: 91, longitude: 0 } }) { ... on Trip { id } } }',
    reason: 'INVALID_REQUEST',
    says: /latitude/,
  },
  {
    what: 'an offer that lasts too long',
    query: 'mutation { requestTrip(input: { offerTtlMs: 3600001 }) { ... on Trip { id } } }',
    reason: 'INVALID_REQUEST',
    says: /offerTtlMs/,
  },
  {
    what: 'a code with a separator',
    query:
      'mutation { createOrganization(input: { code: "A-B", name: "x" }) { ... on Organization { id } } }',
    reason: 'INVALID_CODE',
    says: /letters, digits/,
  },
  {
    what: 'a code that is already in use',
    query:
      'mutation { createOrganization(input: { code: "TEAM", name: "x" }) { ... on Organization { id } } }',
    status: 409,
    code: 'FAILED_PRECONDITION',
    reason: 'CODE_TAKEN',
    says: /choose another code/,
  },
  {
    what: 'an empty subject',
    query: `mutation { createCorrespondence(input: { ${series({ subject: ' ' })} }) { ... on Correspondence { id } } }`,
    reason: 'INVALID_SUBJECT',
    says: /1 to 500/,
  },
  {
    what: 'an unknown demo user',
    query: '{ __typename }',
    status: 401,
    code: 'UNAUTHENTICATED',
    reason: 'UNKNOWN_DEMO_USER',
    says: /driver-1/,
  },
];

describe('bad input', () => {
  test.each(BAD_INPUTS)(
    '$what',
    async ({ what, query, status = 400, code = 'BAD_USER_INPUT', reason, says }) => {
      const answer = await gateway.ask(query, what === 'an unknown demo user' ? { as: 'boss' } : {});
      expect(answer.errors).toHaveLength(1);
      const [error] = answer.errors;
      expect(error?.extensions).toMatchObject({ code, reason, retryable: false });
      expect(error?.message).toMatch(says);
      expect(answer.status).toBe(status);
    },
  );

  test('no bad input changed anything', async () => {
    const preview = `{ documentNumberPreview(input: { ${series({})} }) { sequence } }`;
    expect((await gateway.ask(preview)).data.documentNumberPreview.sequence).toBe(1);
    expect((await gateway.ask('{ trips { edges { cursor } } }')).data.trips.edges).toEqual([]);
    expect(
      (await gateway.ask('{ correspondences { edges { cursor } } }')).data.correspondences.edges,
    ).toEqual([]);
    expect(
      (await gateway.ask('{ documentNumberCounters { edges { cursor } } }')).data.documentNumberCounters
        .edges,
    ).toEqual([]);
  });
});

describe('an ID beyond 63 bits, or 0,', () => {
  const trip =
    (operation: string, more = '') =>
    (id: string) =>
      `mutation { ${operation}(input: { tripId: "${id}" ${more} }) { __typename } }`;
  /** By each place of the schema where an ID enters: an operation that sends it. */
  const OPERATIONS: Readonly<Record<string, (id: string) => string>> = {
    'Query.tsid.id': (id) => `{ tsid(id: "${id}") { node } }`,
    'Query.correspondence.id': (id) => `{ correspondence(id: "${id}") { id } }`,
    'DocumentNumberBy.id': (id) => `{ documentNumber(by: { id: "${id}" }) { number } }`,
    'Query.trip.id': (id) => `{ trip(id: "${id}") { id } }`,
    'Query.tripHistory.tripId': (id) => `{ tripHistory(tripId: "${id}") { revision } }`,
    'Query.tripAttempts.tripId': (id) => `{ tripAttempts(tripId: "${id}") { count } }`,
    'Query.tripOfferSteps.tripId': (id) => `{ tripOfferSteps(tripId: "${id}") { revision } }`,
    'TripFilter.riderId': (id) => `{ trips(filter: { riderId: "${id}" }) { edges { cursor } } }`,
    'TripFilter.driverId': (id) => `{ trips(filter: { driverId: "${id}" }) { edges { cursor } } }`,
    'RequestTripInput.tripId': trip('requestTrip'),
    'RequestTripInput.offeredTo': (id) =>
      `mutation { requestTrip(input: { offeredTo: ["${id}"] }) { ... on Trip { id } } }`,
    'BroadcastTripInput.tripId': trip('broadcastTrip', 'offerEpoch: 1'),
    'BroadcastTripInput.offeredTo': (id) =>
      `mutation { broadcastTrip(input: { tripId: "1", offerEpoch: 1, offeredTo: ["${id}"] }) { __typename } }`,
    'AnswerOfferInput.tripId': trip('acceptTrip', 'offerEpoch: 1'),
    'TripInput.tripId': trip('startTrip'),
    'CancelTripInput.tripId': trip('cancelTrip', 'as: RIDER'),
    'Subscription.tripUpdated.tripId': (id) => `subscription { tripUpdated(tripId: "${id}") { id } }`,
  };

  test.each(Object.entries(OPERATIONS))('is no fault of the gateway: %s', async (_place, queryOf) => {
    for (const id of ['0', '9223372036854775808', '18446744073709551615']) {
      const query = queryOf(id);
      const isFeed = query.startsWith('subscription');
      const accept = isFeed ? 'text/event-stream' : 'application/graphql-response+json';
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({ query }),
      });
      expect(response.status).toBeLessThan(500);
      if (response.headers.get('content-type')?.startsWith('text/event-stream'))
        await response.body?.cancel();
      else expect(await response.text()).not.toContain('incidentId');
    }
  });

  test('is tried at every place where an ID enters', () => {
    const types = Object.values(buildGatewaySchema().getTypeMap());
    const places = types.flatMap((type) => {
      if (isInputObjectType(type))
        return Object.values(type.getFields()).map(
          (field) => [`${type.name}.${field.name}`, field.type] as const,
        );
      if (!isObjectType(type)) return [];
      return Object.values(type.getFields()).flatMap((field) =>
        field.args.map((arg) => [`${type.name}.${field.name}.${arg.name}`, arg.type] as const),
      );
    });
    const ids = places.filter(([, type]) => getNamedType(type).name === 'TSID').map(([place]) => place);
    expect(ids.toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
  });
});

test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
  'the name of an inherited property, %s, is a code like any other',
  async (code) => {
    const create = `mutation { createProject(input: { code: "${code}", name: "x" }) { ... on Project { code } } }`;
    expect((await gateway.ask(create)).data.createProject).toEqual({ code });
    const { errors } = await gateway.ask(
      `mutation { requestTrip(input: { region: "${code}" }) { ... on Trip { id } } }`,
    );
    expect(errors[0]?.extensions.reason).toBe('UNKNOWN_REGION');
  },
);

describe('a forged cursor', () => {
  const NO_ID = '99999999999999999999';
  const KEYS = ['x', NO_ID, '[]', `["counter","${NO_ID}"]`, '["event","x"]', `["sequence","1","${NO_ID}"]`];

  test.each([
    ['documentNumbers', ''],
    ['documentNumbers', 'filter: { projectCode: "DEMO" }'],
    ['documentNumberCounters', ''],
    ['documentNumberEvents', ''],
    ['correspondences', ''],
    ['trips', ''],
    ['projects', ''],
  ])('of %s(%s) is refused as bad input', async (list, filter) => {
    for (const key of [...KEYS, '["number","1","\\u0000"]']) {
      const after = Buffer.from(key).toString('base64url');
      const { errors } = await gateway.ask(`{ ${list}(after: "${after}" ${filter}) { edges { cursor } } }`);
      expect([key, errors[0]?.extensions.code]).toEqual([key, 'BAD_USER_INPUT']);
    }
  });
});

test('messages never repeat what the client sent', async () => {
  const secret = 'my-secret-4711';
  const queries = [
    issue({ organizationCode: secret }),
    saveFormat(`{ORG}${secret}{NONSENSE}`),
    `{ tsid(id: "${secret}") { node } }`,
  ];
  for (const query of queries) {
    const { errors } = await gateway.ask(query);
    expect(JSON.stringify(errors)).not.toContain(secret);
  }
  const { errors } = await gateway.ask('query ($id: TSID!) { tsid(id: $id) { node } }', {
    variables: { id: secret },
  });
  expect(JSON.stringify(errors)).not.toContain(secret);
});
