import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { type Client, createClient } from 'graphql-ws';
import pg from 'pg';
import WebSocket from 'ws';
import type { Gateway } from '../src/assembly/gateway.js';
import { ask, FileStores, type Json } from './gateway-fixture.js';
import { startInProcess } from './in-process-gateway.js';
import { bearer, JWT_ENVIRONMENT, type TokenFacts, tokenOf } from './tokens.js';

/** An event that many subscriptions receive is resolved once for those that see the same. */
const SUBSCRIBERS = 1_000;
const SOCKETS = 25;
const clients: Client[] = [];
let running: Gateway;

afterAll(async () => {
  for (const client of clients) await client.dispose();
  await running?.stop();
});

const stores = new FileStores();
const limited = stores.gateway({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '1000' });

beforeAll(async () => {
  // Runs in-process so that statements can be counted.
  const { databaseUrl, redisUrl } = stores;
  const environment = { ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' };
  running = await startInProcess({ databaseUrl, redisUrl, environment });
  for (const mutation of [
    'createProject(input: { code: "ONE", name: "One" }) { ... on Project { id } }',
    'createOrganization(input: { code: "TEAM", name: "Team" }) { ... on Organization { id } }',
    'createCorrespondenceType(input: { code: "RFA", name: "Approval" }) { ... on CorrespondenceType { id } }',
    'createDiscipline(input: { code: "STR", name: "Structure" }) { ... on Discipline { id } }',
    'saveDocumentNumberFormat(input: { projectCode: "ONE", typeCode: "RFA", template: "{ORG}-{DISCIPLINE}-{YEAR}-{SEQ:4}" }) { ... on DocumentNumberFormat { version } }',
  ]) {
    const { errors } = await as({}, `mutation { ${mutation} }`);
    expect(errors).toEqual([]);
  }
});

async function as(facts: TokenFacts, query: string) {
  const headers = { authorization: `Bearer ${await tokenOf(facts)}` };
  return ask(`http://127.0.0.1:${running.port}`, query, { headers });
}

async function clientOf(facts: TokenFacts, port = running.port): Promise<Client> {
  const client = createClient({
    url: `ws://127.0.0.1:${port}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${await tokenOf(facts)}` },
  });
  clients.push(client);
  return client;
}

const ISSUE = `mutation { issueDocumentNumber(input: { projectCode: "ONE", organizationCode: "TEAM", typeCode: "RFA",
  disciplineCode: "STR" }) { ... on DocumentNumber { number } } }`;

const ISSUED_COUNT = 60;
const ISSUE_MANY = `mutation { issueDocumentNumbers(input: { projectCode: "ONE", organizationCode: "TEAM",
  typeCode: "RFA", disciplineCode: "STR", count: ${ISSUED_COUNT} }) { __typename } }`;

async function subscriptionCount(port = running.port): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^solegate_gateway_subscriptions (\d+)$/m.exec(text)?.[1]);
}

/** Statements on the ledger, the actors and the documents that answer subscriptions. */
const READS = /^SELECT.*(?:document_numbers|people|correspondences)/s;

function statements(spy: { mock: { calls: readonly (readonly unknown[])[] } }): string[] {
  return spy.mock.calls
    .map(([query]) => (typeof query === 'string' ? query : ((query as { text?: string }).text ?? '')))
    .filter((text) => READS.test(text.trim()));
}

test('1,000 subscribers of one document cost as many statements as one', async () => {
  const before = await subscriptionCount();
  const counts: number[] = [];
  const received: Promise<Json>[] = [];
  const query = 'subscription { documentNumberIssued { number actorId } }';
  for (const subscriberCount of [1, SUBSCRIBERS]) {
    const sockets = Math.min(SOCKETS, subscriberCount);
    for (let socket = 0; socket < sockets; socket += 1) {
      // Different people, who may see the same.
      const client = await clientOf({ subject: String(100 + socket), roles: ['clerk'] });
      for (let index = 0; index < subscriberCount / sockets; index += 1) {
        received.push(client.iterate({ query }).next());
      }
    }
    await until(async () => (await subscriptionCount()) >= before + received.length);
    const spy = jest.spyOn(pg.Client.prototype, 'query');
    const { data } = await as({ roles: ['clerk'] }, ISSUE);
    const heard = await Promise.all(received.slice(subscriberCount === 1 ? 0 : 1));
    counts.push(statements(spy).length);
    spy.mockRestore();
    expect(new Set(heard.map(({ value }) => value.data.documentNumberIssued.number))).toEqual(
      new Set([data.issueDocumentNumber.number]),
    );
  }
  expect(counts).toEqual([1, 1]);
});

test('subscribers with another view get their own result', async () => {
  const query = 'subscription { documentNumberIssued { number tsid: id } }';
  const before = await subscriptionCount();
  const clerk = (await clientOf({ subject: '7', roles: ['clerk'] })).iterate({ query }).next();
  const auditor = (await clientOf({ subject: '8', roles: ['auditor'] })).iterate({ query }).next();
  await until(async () => (await subscriptionCount()) >= before + 2);
  await as({ roles: ['clerk'] }, ISSUE);
  const [first, second] = (await Promise.all([clerk, auditor])) as Json[];
  expect(first.value).toEqual(second.value);
});

test('who multiplies each event by many documents is limited, and nobody else is', async () => {
  const documents = Array.from(
    { length: 80 },
    (_, index) => `subscription { n${index}: documentNumberIssued { number } }`,
  );
  const heard = { many: [] as Json[], one: [] as Json[] };
  const listen = async (client: Client, query: string, results: Json[]) => {
    for await (const result of client.iterate({ query })) results.push(result);
  };
  const { port } = limited;
  for (const half of [documents.slice(0, 40), documents.slice(40)]) {
    const client = await clientOf({ subject: '50', roles: ['clerk'] }, port);
    for (const query of half) void listen(client, query, heard.many);
  }
  const modest = await clientOf({ subject: '51', roles: ['clerk'] }, port);
  void listen(modest, documents[0] ?? '', heard.one);
  await until(async () => (await subscriptionCount(port)) === documents.length + 1);
  const headers = await bearer({ subject: '52', roles: ['clerk'] });
  const { errors } = await limited.ask(ISSUE_MANY, { headers });
  expect(errors).toEqual([]);
  await until(() => heard.one.length === ISSUED_COUNT && heard.many.some((result) => result.errors));
  expect(heard.one.filter((result) => result.errors)).toEqual([]);
  const codes = heard.many
    .flatMap((result) => result.errors ?? [])
    .map((error: Json) => error.extensions.code);
  expect(new Set(codes)).toEqual(new Set(['RATE_LIMITED']));
});
