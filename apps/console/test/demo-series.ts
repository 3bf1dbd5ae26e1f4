import type { GatewayProcess } from '@solegate/testkit';

/** A series that every demo gateway has. */
export const DEMO_SERIES = {
  projectCode: 'DEMO',
  organizationCode: 'TEAM',
  typeCode: 'RFA',
  disciplineCode: 'STR',
};

/** Issues numbers of one series with one request. */
export async function issueNumbers(
  gateway: GatewayProcess,
  input: typeof DEMO_SERIES & { readonly count: number; readonly date?: string },
): Promise<void> {
  const otherPeriod = input.date !== undefined;
  await gateway.ask(
    'mutation ($input: IssueDocumentNumbersInput!) { issueDocumentNumbers(input: $input) { __typename } }',
    { variables: { input: { ...input, otherPeriod } } },
  );
}
