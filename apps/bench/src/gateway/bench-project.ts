import { randomBytes } from 'node:crypto';
import { type StoredCounter } from '../numbers/verify-numbers.js';
import type { GraphqlClient } from './graphql-client.js';
import {
  CREATE_DISCIPLINE,
  CREATE_ORGANIZATION,
  CREATE_PROJECT,
  CREATE_TYPE,
  READ_COUNTERS,
  READ_LEDGER,
  SAVE_FORMAT,
} from './graphql-operations.js';

/** The codes that a run issues under. */
export interface BenchProject extends Readonly<Record<string, string>> {
  readonly projectCode: string;
  readonly organizationCode: string;
  readonly typeCode: string;
  readonly disciplineCode: string;
}

/**
 * A project of its own for every run, so that its numbers must be exactly 1 … n and nothing that users have is touched. It
 * needs the rights of an administrator, and stays on the target when the run is over.
 */
export async function createBenchProject(client: GraphqlClient): Promise<BenchProject> {
  const code = `BENCH${randomBytes(5).toString('hex').toUpperCase()}`;
  const row = { input: { code, name: 'Made by the bench' } };
  for (const query of [CREATE_PROJECT, CREATE_ORGANIZATION, CREATE_TYPE, CREATE_DISCIPLINE]) {
    await client.ask({ query, variables: row });
  }
  const format = {
    projectCode: code,
    typeCode: code,
    template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}',
    overflow: 'WIDEN',
  };
  await client.ask({ query: SAVE_FORMAT, variables: { input: format } });
  return { projectCode: code, organizationCode: code, typeCode: code, disciplineCode: code };
}

interface LedgerPage {
  readonly documentNumbers: {
    readonly edges: readonly { readonly node: { readonly sequence: number } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

interface Counters {
  readonly documentNumberCounters: {
    readonly edges: readonly { readonly node: { readonly lastNumber: number } }[];
  };
}

/** Ledger and counter of the project, as any client can read them. */
export async function readBenchProject(
  client: GraphqlClient,
  { projectCode }: BenchProject,
): Promise<Map<string, StoredCounter>> {
  const filter = { projectCode };
  const ledger: number[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { documentNumbers }: LedgerPage = await client.ask({
      query: READ_LEDGER,
      variables: { filter, after },
    });
    ledger.push(...documentNumbers.edges.map(({ node }) => node.sequence));
    after = documentNumbers.pageInfo.endCursor;
    more = documentNumbers.pageInfo.hasNextPage;
  }
  const counters = await client.ask<Counters>({ query: READ_COUNTERS, variables: { filter } });
  const [counter] = counters.documentNumberCounters.edges;
  const lastNumber = counter?.node.lastNumber;
  return new Map([[projectCode, { ledger, ...(lastNumber === undefined ? {} : { lastNumber }) }]]);
}
