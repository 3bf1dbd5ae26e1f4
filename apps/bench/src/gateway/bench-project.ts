import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type StoredCounter } from '../numbers/verify-numbers.js';
import type { GraphqlClient } from './graphql-client.js';
import { CREATE_CODES, READ_COUNTERS, READ_LEDGER, SAVE_FORMAT } from './graphql-operations.js';

/** The codes that a run issues under. */
export interface BenchProject extends Readonly<Record<string, string>> {
  readonly projectCode: string;
  readonly organizationCode: string;
  readonly typeCode: string;
  readonly disciplineCode: string;
}

/**
 * Creates a separate project for every run, so that its numbers must be exactly 1 … n and users' data is untouched.
 * Needs administrator rights. The project remains on the target after the run.
 */
export async function createBenchProject(client: GraphqlClient): Promise<BenchProject> {
  const code = `BENCH${randomBytes(5).toString('hex').toUpperCase()}`;
  const row = { input: { code, name: 'Created by the bench' } };
  for (const query of CREATE_CODES) await client.ask({ query, variables: row });
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

/** How often to reread the ledger while the counter still moves, and the pause in between. */
const READ_MAX = 50;
const READ_PAUSE_MS = 200;

/**
 * Reads the ledger and counter of the project, as any client can, once they are stable: a call that was given up can
 * still be running, so both are read again until the counter does not change while the ledger is read.
 */
export async function readBenchProject(
  client: GraphqlClient,
  { projectCode }: BenchProject,
): Promise<Map<string, StoredCounter>> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await readLastNumber(client, projectCode);
    const ledger = await readSequences(client, projectCode);
    const lastNumber = await readLastNumber(client, projectCode);
    if (before === lastNumber || attempt === READ_MAX) {
      return new Map([[projectCode, { ledger, ...(lastNumber === undefined ? {} : { lastNumber }) }]]);
    }
    await delay(READ_PAUSE_MS);
  }
}

async function readLastNumber(client: GraphqlClient, projectCode: string): Promise<number | undefined> {
  const variables = { filter: { projectCode } };
  const { documentNumberCounters } = await client.ask<Counters>({ query: READ_COUNTERS, variables });
  return documentNumberCounters.edges[0]?.node.lastNumber;
}

async function readSequences(client: GraphqlClient, projectCode: string): Promise<number[]> {
  const sequences: number[] = [];
  let after: string | null = null;
  for (let more = true; more; ) {
    const variables: Readonly<Record<string, unknown>> = { filter: { projectCode }, after };
    const { documentNumbers } = await client.ask<LedgerPage>({ query: READ_LEDGER, variables });
    sequences.push(...documentNumbers.edges.map(({ node }) => node.sequence));
    after = documentNumbers.pageInfo.endCursor;
    more = documentNumbers.pageInfo.hasNextPage;
  }
  return sequences;
}
