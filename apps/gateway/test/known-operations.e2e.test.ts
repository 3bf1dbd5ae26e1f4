import { expect, test } from '@jest/globals';
import { type Answer, gatewayOfFile } from './gateway-fixture.js';

/** A document is read by Apollo while it is new, and kept from its second run on; nobody sees a difference. */
const gateway = gatewayOfFile();

/** What the second of two callers may see differ. */
function comparable({ status, data, errors }: Answer): object {
  const comparableErrors = errors.map(({ extensions: { incidentId, ...extensions }, ...error }) => ({
    ...error,
    extensions: { ...extensions, ...(incidentId === undefined ? {} : { incidentId: 'any' }) },
  }));
  return { status, data, errors: comparableErrors };
}

test.each([
  ['a refusal of a resolver', 'mutation { generateTsids(count: 0) }', {}],
  ['a value that is not there', 'query ($id: TSID!) { trip(id: $id) { id } }', { id: '99' }],
  [
    'two answers, one of them null',
    'query ($id: TSID!) { trip(id: $id) { id } tsid(id: $id) { node } }',
    { id: '99' },
  ],
  [
    'an error of a package',
    `mutation ($code: String!) { issueDocumentNumber(input: {
       projectCode: $code, organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR" }) { ... on DocumentNumber { number } } }`,
    { code: 'NOWHERE' },
  ],
  [
    'a variable that does not fit',
    'mutation ($count: Int!) { generateTsids(count: $count) }',
    { count: 'x' },
  ],
  ['a variable that is missing', 'mutation ($n: Int!) { generateTsids(count: $n) }', {}],
  ['a role that is missing', 'mutation { createProject(input: { code: "X", name: "X" }) { id } }', {}],
])('%s gets the same response the first, second and third time', async (_, query, variables) => {
  const ask = () => gateway.ask(query, { variables, as: 'rider-1' });
  const first = comparable(await ask());
  expect(comparable(await ask())).toEqual(first);
  expect(comparable(await ask())).toEqual(first);
});
