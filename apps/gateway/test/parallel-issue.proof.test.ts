import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GatewayProcess } from '@solegate/testkit';
import { type Answer, ask, FileStores } from './gateway-fixture.js';
import { serve } from './gateway-process.js';

/** Numbers over HTTP under many parallel requests, from one gateway process and from four behind one port. */
const COUNTER_COUNT = 100;

const CREATE = `mutation ($input: CodedRowInput!) { createDiscipline(input: $input) { ... on Discipline { id } } }`;
const ISSUE = `mutation ($input: IssueDocumentNumberInput!) {
  issueDocumentNumber(input: $input) { ... on DocumentNumber { number sequence } }
}`;

describe.each([1, 4])('from %i gateway process(es)', (workers) => {
  let gateway: GatewayProcess;

  afterAll(() => gateway?.[Symbol.asyncDispose]());
  const stores = new FileStores();

  beforeAll(async () => {
    gateway = await serve({
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: stores.redisUrl,
      WORKERS: String(workers),
      // While other tests use the processor, 1,000 concurrent requests need longer than the default.
      REQUEST_TIMEOUT_MS: '60000',
      SHUTDOWN_TIMEOUT_MS: '60000',
      LOG_LEVEL: 'warn',
    });
  });

  async function createDisciplines(codes: readonly string[]): Promise<void> {
    const create = (code: string) =>
      ask(gateway.origin, CREATE, { variables: { input: { code, name: code } } });
    const answers = await Promise.all(codes.map(create));
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
  }

  /** Retries until a number is issued: on a loaded machine, waiting for a connection can time out, issuing nothing. */
  async function issue(disciplineCode: string): Promise<Answer> {
    const input = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode };
    for (;;) {
      const answer = await ask(gateway.origin, ISSUE, { variables: { input } });
      if (answer.errors[0]?.extensions.code !== 'SERVICE_UNAVAILABLE') return answer;
    }
  }

  test.each([
    [100, 1],
    [500, 1],
    [1000, 1],
    [100, COUNTER_COUNT],
    [500, COUNTER_COUNT],
    [1000, COUNTER_COUNT],
  ])('%i requests over %i counter(s) get exactly 1 … n from each', async (count, counterCount) => {
    const codes = Array.from({ length: counterCount }, (_, index) => `D${count}.${counterCount}.${index}`);
    await createDisciplines(codes);
    const requests = Array.from({ length: count }, (_, index) => codes[index % counterCount] ?? '');
    const answers = await Promise.all(requests.map(issue));
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    const issued = answers.map(({ data }) => data.issueDocumentNumber);
    expect(new Set(issued.map(({ number }) => number)).size).toBe(count);
    for (const code of codes) {
      const ofCode = issued.filter((_, index) => requests[index] === code).map(({ sequence }) => sequence);
      expect(ofCode.toSorted((a, b) => a - b)).toEqual(ofCode.map((_, index) => index + 1));
    }
  });
});
