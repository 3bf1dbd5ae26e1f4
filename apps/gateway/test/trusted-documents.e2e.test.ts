import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FileStores, startTestGateway, type TestGateway } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT } from './tokens.js';

/** Documents registered by a client's build run by ID; a production gateway can be configured to run no others. */
const MINT = 'mutation Mint($count: Int!) { generateTsids(count: $count) { ... on TsidsGenerated { ids } } }';
const SAVE = 'mutation Save { createProject(input: { code: "X", name: "X" }) { ... on Project { id } } }';
const OWN_MANIFEST = new URL('../../../packages/client/documents.json', import.meta.url);
const idOf = (text: string): string => createHash('sha256').update(text).digest('hex');

let directory: string;
let apollo: string;
let map: string;

const HEARD = 'subscription Heard { documentNumberIssued { number } }';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'documents-'));
  apollo = await manifest('apollo.json', {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [MINT, SAVE].map((body) => ({ id: idOf(body), name: 'Any', type: 'mutation', body })),
  });
  map = await manifest('map.json', { [idOf(MINT)]: MINT, [idOf(HEARD)]: HEARD });
});

afterAll(() => rm(directory, { recursive: true, force: true }));
const stores = new FileStores();
const only = stores.gateway(() => ({
  ...JWT_ENVIRONMENT,
  TRUSTED_DOCUMENTS: apollo,
  TRUSTED_DOCUMENTS_ONLY: 'on',
}));
const open = stores.gateway(() => ({ ...JWT_ENVIRONMENT, TRUSTED_DOCUMENTS: map }));
const without = stores.gateway(JWT_ENVIRONMENT);

async function manifest(name: string, content: unknown): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}

async function post(gateway: TestGateway, body: object, roles?: readonly string[]) {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...(await bearer(roles ? { roles } : {})),
    },
    body: JSON.stringify(body),
  });
  const { data, errors = [] } = (await response.json()) as {
    data?: Record<string, unknown>;
    errors?: { message: string; extensions: Record<string, unknown> }[];
  };
  return { status: response.status, data, error: errors[0] };
}

const variables = { count: 2 };

describe('a document is sent by ID', () => {
  test('by documentId, with and without its prefix, and as Apollo clients do', async () => {
    for (const form of [
      { documentId: `sha256:${idOf(MINT)}` },
      { documentId: idOf(MINT) },
      { extensions: { persistedQuery: { version: 1, sha256Hash: idOf(MINT) } } },
    ]) {
      for (const gateway of [only, open]) {
        const { status, data } = await post(gateway, { ...form, variables });
        expect(status).toBe(200);
        expect(data).toMatchObject({ generateTsids: { ids: [expect.any(String), expect.any(String)] } });
      }
    }
  });

  test('that is not registered: the code makes Apollo clients send the text', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: idOf('{ __typename }') } };
    for (const gateway of [only, open]) {
      const { status, error } = await post(gateway, { extensions });
      expect(status).toBe(400);
      expect(error?.extensions).toMatchObject({
        code: 'PERSISTED_QUERY_NOT_FOUND',
        reason: 'DOCUMENT_UNKNOWN',
      });
    }
    expect((await post(open, { extensions, query: '{ __typename }' })).data).toEqual({ __typename: 'Query' });
  });
});

test('without trusted documents, Apollo clients are told once to send texts', async () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: idOf('{ __typename }') } };
  const { status, error } = await post(without, { extensions });
  expect([status, error?.extensions.code]).toEqual([400, 'PERSISTED_QUERY_NOT_SUPPORTED']);
  expect((await post(without, { extensions, query: '{ __typename }' })).status).toBe(200);
});

describe('trust applies only to the document', () => {
  test('roles are checked', async () => {
    const { status, error } = await post(only, { documentId: idOf(SAVE) }, ['clerk']);
    expect([status, error?.extensions.reason]).toEqual([403, 'ROLE_MISSING']);
  });

  test('variables are checked', async () => {
    const { status, error } = await post(only, { documentId: idOf(MINT), variables: { count: 'hunter2' } });
    expect([status, error?.extensions.reason]).toEqual([400, 'VARIABLES']);
    expect(error?.message).toBe('Variable "$count" does not fit: Int! is expected.');
  });
});

test('with trustedDocumentsOnly, documents run only by ID, and even the text of a registered one is refused', async () => {
  for (const query of ['{ __typename }', MINT]) {
    const { status, error } = await post(only, { query, variables });
    expect([status, error?.extensions.reason]).toEqual([403, 'DOCUMENT_NOT_TRUSTED']);
    expect((await post(open, { query, variables })).status).toBe(200);
  }
});

test('the documents of the own client are trusted without a file', async () => {
  const gateway = await startTestGateway(stores, { ...JWT_ENVIRONMENT, TRUSTED_DOCUMENTS_ONLY: 'on' });
  const { operations } = JSON.parse(await readFile(OWN_MANIFEST, 'utf8')) as {
    operations: { id: string; name: string; body: string }[];
  };
  const generate = operations.find(({ name }) => name === 'GenerateTsids');
  const { data } = await post(gateway, { documentId: generate?.id, query: 'not { read', variables });
  expect(data).toMatchObject({ generateTsids: { ids: [expect.any(String), expect.any(String)] } });
  expect((await post(gateway, { query: generate?.body, variables })).error?.extensions.reason).toBe(
    'DOCUMENT_NOT_TRUSTED',
  );
  await gateway.stop();
});

test('an event is shared by the document that is run, whatever text comes with its ID', async () => {
  const run = async (mutation: string): Promise<void> => {
    const { error } = await post(open, { query: `mutation { made: ${mutation} { __typename } }` });
    expect(error).toBeUndefined();
  };
  const codes = 'projectCode: "P", typeCode: "RFA"';
  for (const name of ['Project', 'Organization', 'CorrespondenceType', 'Discipline']) {
    const code = { Project: 'P', Organization: 'TEAM', CorrespondenceType: 'RFA' }[name] ?? 'STR';
    await run(`create${name}(input: { code: "${code}", name: "x" })`);
  }
  await run(`saveDocumentNumberFormat(input: { ${codes}, template: "{ORG}-{DISCIPLINE}-{YEAR}-{SEQ:4}" })`);
  const query = 'subscription Heard { documentNumberIssued { sequence } }';
  const left = new AbortController();
  const subscribe = async (body: object): Promise<() => Promise<unknown>> => {
    const response = await fetch(`${open.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...(await bearer()) },
      signal: left.signal,
      body: JSON.stringify(body),
    });
    const frames = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream());
    return async () => {
      let text = '';
      for await (const part of frames) {
        text += part;
        const [, json] = /^data: (.+)$/m.exec(text) ?? [];
        if (json !== undefined) return JSON.parse(json).data.documentNumberIssued;
      }
      throw new Error('the stream ended without an event');
    };
  };
  const heard = [
    await subscribe({ query, documentId: idOf(HEARD) }),
    await subscribe({ query }),
    await subscribe({ documentId: idOf(HEARD) }),
  ];
  await run(`issueDocumentNumber(input: { ${codes}, organizationCode: "TEAM", disciplineCode: "STR" })`);
  const number = { number: expect.stringMatching(/^TEAM-STR-\d{4}-0001$/) };
  expect(await Promise.all(heard.map((next) => next()))).toEqual([number, { sequence: 1 }, number]);
  left.abort();
});

describe('startup fails', () => {
  const startWith = (path: string) => startTestGateway(stores, { TRUSTED_DOCUMENTS: path });

  test('with a file that is not a manifest', async () => {
    const path = await manifest('broken.json', { operations: 5 });
    await expect(startWith(path)).rejects.toThrow(/neither an Apollo manifest nor a map/);
    await expect(startWith(join(directory, 'none.json'))).rejects.toThrow(/TRUSTED_DOCUMENTS: .*none\.json/);
  });

  test('with documents that are invalid for this schema, each named', async () => {
    const path = await manifest('old.json', { one: '{ removed }', two: '{ tsid', three: MINT });
    await expect(startWith(path)).rejects.toMatchObject({
      faults: [expect.stringContaining('document one'), expect.stringContaining('document two')],
    });
  });
});
