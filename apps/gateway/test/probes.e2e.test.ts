import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { gatewayOfFile, type Json } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT, type TokenFacts } from './tokens.js';

/**
 * Malformed and hostile requests to a production gateway. Each is refused with a GraphQL error that has a code and a
 * message, and none causes an internal error.
 */
interface Probe {
  readonly query?: string;
  readonly variables?: unknown;
  /** Raw body, instead of `query`. */
  readonly body?: string;
  /** Default: an administrator's. null: no token. */
  readonly token?: TokenFacts | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly path?: string;
  readonly reason: string;
}

const SERIES = 'projectCode: "P", organizationCode: "O", typeCode: "T", disciplineCode: "D"';
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const PROBES: Readonly<Record<string, Probe>> = {
  // Identity
  'no token': { query: '{ __typename }', token: null, reason: 'TOKEN_MISSING' },
  'a token signed with another secret': {
    query: '{ __typename }',
    token: { secret: 'some other secret of more than 32 characters' },
    reason: 'TOKEN_INVALID',
  },
  'a token for another audience': {
    query: '{ __typename }',
    token: { audience: 'x' },
    reason: 'TOKEN_INVALID',
  },
  'an expired token': { query: '{ __typename }', token: { expiresInS: -60 }, reason: 'TOKEN_EXPIRED' },
  'a subject that is not a TSID': {
    query: '{ __typename }',
    token: { subject: '-1' },
    reason: 'TOKEN_SUBJECT',
  },
  'a subject above 2^63': {
    query: '{ __typename }',
    token: { subject: '9223372036854775808' },
    reason: 'TOKEN_SUBJECT',
  },
  'a demo user': {
    query: '{ __typename }',
    token: null,
    headers: { 'x-demo-user': 'admin-1' },
    reason: 'TOKEN_MISSING',
  },
  'no role': { query: '{ tsid(id: "1") { node } }', token: { roles: [] }, reason: 'ROLE_MISSING' },
  'an unknown role': {
    query: '{ overview { node } }',
    token: { roles: ['root'] },
    reason: 'ROLE_MISSING',
  },
  'a mutation after a query in the same document': {
    body: JSON.stringify({
      query: 'query A { __typename } mutation B { generateTsids { __typename } }',
      operationName: 'B',
    }),
    token: { roles: [] },
    reason: 'ROLE_MISSING',
  },
  'a field hidden in fragments': {
    query: 'query { ...A } fragment A on Query { ...B } fragment B on Query { nodeFleet { nodeCount } }',
    token: { roles: ['driver'] },
    reason: 'ROLE_MISSING',
  },
  'a project that the token does not name': {
    query: `mutation { issueDocumentNumber(input: { ${SERIES} }) { __typename } }`,
    token: { roles: ['clerk'], projects: ['OTHER'] },
    reason: 'NOT_YOUR_PROJECT',
  },
  // Transport
  'a batch': { body: '[{"query":"{ __typename }"}]', reason: 'BAD_REQUEST' },
  'a body that is not JSON': { body: '{"query":', reason: 'CTP_INVALID_JSON_BODY' },
  'no body': { body: '', reason: 'CTP_EMPTY_JSON_BODY' },
  'a body that is null': { body: 'null', reason: 'BAD_REQUEST' },
  'a body that is a number': { body: '7', reason: 'BAD_REQUEST' },
  'a query that is a number': { body: '{"query":7}', reason: 'BAD_REQUEST' },
  'variables that are a list': { body: '{"query":"{ __typename }","variables":[]}', reason: 'BAD_REQUEST' },
  'extensions that are a string': {
    body: '{"query":"{ __typename }","extensions":"x"}',
    reason: 'BAD_REQUEST',
  },
  'a body of more than a megabyte': {
    body: JSON.stringify({ query: `{ __typename } # ${'x'.repeat(1_000_001)}` }),
    reason: 'CTP_BODY_TOO_LARGE',
  },
  'a form': {
    body: 'query=%7B__typename%7D',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    reason: 'CTP_INVALID_MEDIA_TYPE',
  },
  'a multipart form': {
    body: '--x--',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    reason: 'CTP_INVALID_MEDIA_TYPE',
  },
  'plain text': {
    body: '{"query":"{ __typename }"}',
    headers: { 'content-type': 'text/plain' },
    reason: 'CTP_INVALID_MEDIA_TYPE',
  },
  'a query by GET': { method: 'GET', path: '/graphql?query={__typename}', reason: 'POST_ONLY' },
  'an unknown path': { method: 'GET', path: '/admin', reason: 'NO_SUCH_PATH' },
  'a malformed path': { method: 'GET', path: '/%zz', reason: 'BAD_URL' },
  'a prototype in the variables': {
    body: '{"query":"{ __typename }","variables":{"__proto__":{"x":1}}}',
    reason: 'CTP_INVALID_JSON_BODY',
  },
  // The document
  'a document that does not parse': { query: '{ tsid(', reason: 'GRAPHQL_PARSE_FAILED' },
  'an empty document': { body: '{"query":""}', reason: 'BAD_REQUEST' },
  'an unknown field': { query: '{ tsidd }', reason: 'GRAPHQL_VALIDATION_FAILED' },
  introspection: { query: '{ __schema { types { name } } }', reason: 'GRAPHQL_VALIDATION_FAILED' },
  'a fragment cycle': {
    query: '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
    reason: 'GRAPHQL_VALIDATION_FAILED',
  },
  'too many aliases': {
    query: `{ ${Array.from({ length: 40 }, (_, index) => `a${index}: tsid(id: "1") { node }`).join(' ')} }`,
    reason: 'GRAPHQL_VALIDATION_FAILED',
  },
  'too many directives': {
    query: `{ __typename ${'@include(if: true) '.repeat(30)} }`,
    reason: 'GRAPHQL_VALIDATION_FAILED',
  },
  'one field repeated many times': {
    query: `{ ${'tsid(id: "1") { node } '.repeat(200)} }`,
    reason: 'GRAPHQL_VALIDATION_FAILED',
  },
  'too many tokens': { query: `{ ${'__typename '.repeat(3_000)} }`, reason: 'GRAPHQL_PARSE_FAILED' },
  'an unknown operation name': {
    body: '{"query":"query A { __typename }","operationName":"B"}',
    reason: 'NO_SUCH_OPERATION',
  },
  'two operations and no name': {
    query: 'query A { __typename } query B { __typename }',
    reason: 'NO_SUCH_OPERATION',
  },
  'an unregistered document': {
    body: JSON.stringify({ documentId: createHash('sha256').update('x').digest('hex') }),
    reason: 'DOCUMENT_UNKNOWN',
  },
  'a subscription without a stream': {
    query: 'subscription { tripOffered { id } }',
    reason: 'SUBSCRIPTION_TRANSPORT',
  },
  // The variables
  'a missing variable': {
    query: 'query ($id: TSID!) { tsid(id: $id) { node } }',
    variables: {},
    reason: 'VARIABLES',
  },
  'a variable of the wrong type': {
    query: 'query ($first: Int) { trips(first: $first) { edges { cursor } } }',
    variables: { first: 'hunter2' },
    reason: 'VARIABLES',
  },
  'deeply nested variables': {
    body: `{"query":"{ __typename }","variables":{"x":${nested(100_000)}}}`,
    reason: 'VARIABLES_TOO_DEEP',
  },
  'U+0000': {
    query:
      'mutation ($name: String!) { createProject(input: { code: "X", name: $name }) { ... on Project { id } } }',
    variables: { name: 'a\0b' },
    reason: 'TEXT',
  },
  'a lone surrogate': {
    body: '{"query":"query ($t: String!) { projects(codeStart: $t) { edges { cursor } } }","variables":{"t":"\\ud800"}}',
    reason: 'TEXT',
  },
  'a malformed TSID': { query: '{ tsid(id: "-1") { node } }', reason: 'MALFORMED_TSID' },
  'a TSID of more than 64 bits': {
    query: '{ tsid(id: "18446744073709551616") { node } }',
    reason: 'MALFORMED_TSID',
  },
  // The arguments
  'a page that is too large': { query: '{ trips(first: 101) { edges { cursor } } }', reason: 'PAGE_SIZE' },
  'a page size of 0': { query: '{ documentNumbers(first: 0) { edges { cursor } } }', reason: 'PAGE_SIZE' },
  'a cursor from another list': {
    query: '{ documentNumbers(after: "Zm9v") { edges { cursor } } }',
    reason: 'INVALID_REQUEST',
  },
  'SQL injection in a cursor': {
    query: `{ trips(after: "1' OR 1=1 --") { edges { cursor } } }`,
    reason: 'CURSOR',
  },
  'too many IDs': {
    query: 'mutation { generateTsids(count: 10001) { ... on TsidsGenerated { ids } } }',
    reason: 'COUNT',
  },
  'a negative number of IDs': {
    query: 'mutation { generateTsids(count: -1) { ... on TsidsGenerated { ids } } }',
    reason: 'COUNT',
  },
  'an unknown project': {
    query: `mutation { issueDocumentNumber(input: { ${SERIES} }) { __typename } }`,
    reason: 'UNKNOWN_CODE',
  },
  'a filter that is an empty string': {
    query: '{ documentNumbers(filter: { projectCode: "" }) { edges { cursor } } }',
    reason: 'UNKNOWN_CODE',
  },
  'a date that is infinity': {
    query: '{ documentNumbers(filter: { dateFrom: "infinity" }) { edges { cursor } } }',
    reason: 'GRAPHQL_VALIDATION_FAILED',
  },
  'a code that mixes scripts': {
    query:
      'mutation { createOrganization(input: { code: "TЕAM", name: "x" }) { ... on Organization { id } } }',
    reason: 'INVALID_CODE',
  },
  'a lookup without a key': {
    query: '{ documentNumber(by: {}) { id } }',
    reason: 'GRAPHQL_VALIDATION_FAILED',
  },
  'an unknown trip': {
    query: 'mutation { startTrip(input: { tripId: "5" }) { __typename } }',
    token: { roles: ['driver'] },
    reason: 'TRIP_NOT_FOUND',
  },
  'impossible coordinates': {
    query:
      'mutation { requestTrip(input: { pickup: { latitude: 91, longitude: 0 } }) { ... on Trip { id } } }',
    token: { roles: ['rider'] },
    reason: 'INVALID_REQUEST',
  },
  'an idempotency key without its project': {
    query: '{ documentNumbers(filter: { idempotencyKey: "k" }) { edges { cursor } } }',
    reason: 'PROJECT_NEEDED',
  },
  'the overview, as a clerk': {
    query: '{ overview { process } }',
    token: { roles: ['clerk'] },
    reason: 'ROLE_MISSING',
  },
  'blocking a series, as a clerk': {
    query:
      'mutation { blockDocumentSeries(input: { projectCode: "P", typeCode: "T", reason: "x" }) { ... on DocumentSeries { id } } }',
    token: { roles: ['clerk'] },
    reason: 'ROLE_MISSING',
  },
  'an unknown export filter': {
    method: 'GET',
    path: '/export/document-numbers.csv?colour=red',
    reason: 'EXPORT_CONDITION',
  },
  'an export without a role': {
    method: 'GET',
    path: '/export/document-numbers.csv',
    token: { roles: ['driver'] },
    reason: 'ROLE_MISSING',
  },
};

const gateway = gatewayOfFile({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' });

describe('a probe is rejected with a GraphQL error', () => {
  test.each(Object.entries(PROBES))('%s', async (_what, probe) => {
    const { query, variables, method = 'POST', path = '/graphql', token = {}, reason } = probe;
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers: {
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        accept: 'application/graphql-response+json',
        ...(token !== null && (await bearer(token))),
        ...probe.headers,
      },
      ...(method === 'POST' && { body: probe.body ?? JSON.stringify({ query, variables }) }),
    });
    const { errors } = (await response.json()) as Json;
    expect([reason, response.status]).toEqual([errors[0].extensions.reason, expect.any(Number)]);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(errors[0].message).toMatch(/\w/);
    expect(errors[0].extensions.incidentId).toBeUndefined();
    expect(JSON.stringify(errors)).not.toContain('hunter2');
  });
});

test('none of the probes caused an internal error', async () => {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  expect(metrics).not.toMatch(/code="(?:INTERNAL_SERVER_ERROR|SERVICE_UNAVAILABLE|OUTCOME_UNKNOWN)"/);
});
