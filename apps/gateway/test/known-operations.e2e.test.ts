import { expect, test } from '@jest/globals';
import { type Answer, gatewayOfFile } from './gateway-fixture.js';

/** Apollo parses a new document; from its second run on it is cached. Responses do not differ. */
const gateway = gatewayOfFile();

/** A response without what may differ between two identical requests. */
function comparable({ status, data, errors }: Answer): object {
  const comparableErrors = errors.map(({ extensions: { incidentId, ...extensions }, ...error }) => ({
    ...error,
    extensions: { ...extensions, ...(incidentId === undefined ? {} : { incidentId: 'any' }) },
  }));
  return { status, data, errors: comparableErrors };
}

test.each([
  ["a resolver's refusal", 'mutation { generateTsids(count: 0) { ... on TsidsGenerated { ids } } }', {}],
  ['a null result', 'query ($id: TSID!) { trip(id: $id) { id } }', { id: '99' }],
  [
    'two results, one of them null',
    'query ($id: TSID!) { trip(id: $id) { id } tsid(id: $id) { node } }',
    { id: '99' },
  ],
  [
    "a package's error",
    `mutation ($code: String!) { issueDocumentNumber(input: {
       projectCode: $code, organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR" }) { ... on DocumentNumber { number } } }`,
    { code: 'NOWHERE' },
  ],
  [
    'a variable of the wrong type',
    'mutation ($count: Int!) { generateTsids(count: $count) { ... on TsidsGenerated { ids } } }',
    { count: 'x' },
  ],
  [
    'a missing variable',
    'mutation ($n: Int!) { generateTsids(count: $n) { ... on TsidsGenerated { ids } } }',
    {},
  ],
  [
    'a missing role',
    'mutation { createProject(input: { code: "X", name: "X" }) { ... on Project { id } } }',
    {},
  ],
])('%s gets the same response the first, second and third time', async (_, query, variables) => {
  const ask = () => gateway.ask(query, { variables, as: 'rider-1' });
  const first = comparable(await ask());
  expect(comparable(await ask())).toEqual(first);
  expect(comparable(await ask())).toEqual(first);
});
