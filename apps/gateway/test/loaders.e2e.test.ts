import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createNumbering } from '@solegate/doc-numbering';
import pg from 'pg';
import type { Gateway } from '../src/assembly/gateway.js';
import { type AskOptions, ask, FileStores, type Json, startTestGateway } from './gateway-fixture.js';
import { startInProcess } from './in-process-gateway.js';
import { bearer, JWT_ENVIRONMENT } from './tokens.js';

/** The references of a page are loaded in batches: the number of statements does not grow with its rows. */
let running: Gateway;

afterAll(() => running?.stop());
const stores = new FileStores();
const gateway = {
  ask: (query: string, options?: AskOptions) => ask(`http://127.0.0.1:${running.port}`, query, options),
};

beforeAll(async () => {
  // Runs in-process so that statements can be counted.
  const { databaseUrl, redisUrl } = stores;
  running = await startInProcess({ databaseUrl, redisUrl });
  const series = 'projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';
  for (let index = 0; index < 20; index += 1) {
    await gateway.ask(
      `mutation { createCorrespondence(input: { ${series}, subject: "${index}" }) { ... on Correspondence { id } } }`,
    );
    await gateway.ask('mutation { requestTrip(input: {}) { ... on Trip { id } } }', {
      as: `rider-${(index % 5) + 1}`,
    });
  }
});

const REFERENCES =
  /(?:FROM|JOIN) "?(projects|organizations|correspondence_types|disciplines|people|correspondences|document_number_seals)\b/;

const LEDGER = /(?:FROM|JOIN) "?(document_numbers)\b/;

/** Those of the tables that an operation reads, one entry per statement sent to the driver. */
async function statementsOf(query: string, tables = REFERENCES, asking = gateway.ask): Promise<string[]> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const { errors } = await asking(query);
    expect(errors).toEqual([]);
    return spy.mock.calls.flatMap(
      (call) => tables.exec(JSON.stringify(call[0]).replaceAll('\\', ''))?.[1] ?? [],
    );
  } finally {
    spy.mockRestore();
  }
}

const correspondences = (first: number): string => `{ correspondences(first: ${first}) { edges { node {
  project { code } organization { code } type { code } discipline { code }
} } } }`;
const ledger = (first: number): string => `{ documentNumbers(first: ${first}) { edges { node {
  number project { code } actor { name } correspondence { subject } seal { chain position seal }
} } } }`;
const trips = (first: number): string =>
  `{ trips(first: ${first}) { edges { node { rider { name } driver { name } } } } }`;

test.each([
  // Master data never changes, so this gateway caches what it has created or read.
  ['correspondences', correspondences, ['correspondences']],
  ['the ledger', ledger, ['correspondences', 'people', 'document_number_seals']],
  ['trips', trips, ['people']],
])('a page of %s reads each referenced table once, whatever its size', async (_what, query, tables) => {
  for (const first of [2, 20]) {
    expect(new Set(await statementsOf(query(first)))).toEqual(new Set(tables));
    expect(await statementsOf(query(first))).toHaveLength(tables.length);
  }
});

test('the projects of a token are read in one statement, however many it names', async () => {
  const { databaseUrl, redisUrl } = stores;
  const other = await startInProcess({ databaseUrl, redisUrl, environment: JWT_ENVIRONMENT });
  const projects = ['DEMO', ...Array.from({ length: 40 }, (_, index) => `NONE${index}`)];
  const headers = await bearer({ roles: ['clerk'], projects });
  const asking = (query: string) => ask(`http://127.0.0.1:${other.port}`, query, { headers });
  const projectsOf = (query: string) => statementsOf(query, /FROM "?(projects)\b/, asking);
  try {
    expect(await projectsOf('{ projects { edges { node { code } } } }')).toHaveLength(1);
    expect(await projectsOf('{ searchDocumentNumbers(search: { text: "TEAM" }) { total } }')).toHaveLength(1);
  } finally {
    await other.stop();
  }
});

test('a name that another gateway has changed is shown within a minute, also of what is found by its code', async () => {
  const nameOf = async () => (await gateway.ask('{ project(code: "DEMO") { name } }')).data.project.name;
  const before = await nameOf();
  await stores.database.pool.query(`UPDATE projects SET name = 'New name' WHERE code = 'DEMO'`);
  expect(await nameOf()).toBe(before);
  const now = performance.now.bind(performance);
  const spy = jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
  try {
    expect(await nameOf()).toBe('New name');
  } finally {
    spy.mockRestore();
  }
});

test('a number that another application gave to a document of its own shows no document', async () => {
  const pool = new pg.Pool({ connectionString: stores.databaseUrl, max: 2 });
  const { rows } = await pool.query(`SELECT id FROM projects WHERE code = 'DEMO'`);
  const numbering = createNumbering({ database: pool });
  const { number } = await numbering.issue({
    space: rows[0].id,
    series: 'RFA',
    fields: { ORG: 'TEAM', DISCIPLINE: 'ARC' },
    actor: 'billing',
    document: 'INV-7',
  });
  await numbering.close();
  await pool.end();
  const { data, errors } = await gateway.ask(`{ documentNumber(by: { number: { projectCode: "DEMO",
    number: "${number}" } }) { actorId actor { name } correspondence { id } } }`);
  expect(errors).toEqual([]);
  expect(data.documentNumber).toEqual({ actorId: 'billing', actor: null, correspondence: null });
});

test('the rates of a page of counters are read from the ledger in one statement', async () => {
  const issue = async (code: string) => {
    await gateway.ask(`mutation { createDiscipline(input: { code: "${code}", name: "x" }) { __typename } }`);
    const { errors } =
      await gateway.ask(`mutation { issueDocumentNumbers(input: { projectCode: "DEMO", count: 3,
      organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "${code}" }) { __typename } }`);
    expect(errors).toEqual([]);
  };
  for (const code of ['RATE1', 'RATE2', 'RATE3']) await issue(code);
  const counters = `{ documentNumberCounters(first: 20, filter: { projectCode: "DEMO", typeCode: "RFA" }) {
    edges { node { disciplineCode perDay fullOn } } } }`;
  const { data } = await gateway.ask(counters);
  const rates = data.documentNumberCounters.edges.map(({ node }: Json) => [node.disciplineCode, node.perDay]);
  expect(rates).toEqual(
    expect.arrayContaining([['STR', 20], ...['RATE1', 'RATE2', 'RATE3'].map((code) => [code, 3])]),
  );
  expect(await statementsOf(counters, LEDGER)).toHaveLength(1);
});

test('numbers issued in bulk are read from the ledger in one statement, also when they are replayed', async () => {
  const series = 'projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFI", disciplineCode: "STR"';
  const issue = `mutation { issueDocumentNumbers(input: { ${series}, count: 20, idempotencyKey: "bulk" }) {
    ... on DocumentNumbersIssued { documentNumbers { number status actorId reason expiresAt actor { id } } } } }`;
  expect(await statementsOf(issue, LEDGER)).toHaveLength(1);
  const issued = async (): Promise<Json[]> =>
    (await gateway.ask(issue)).data.issueDocumentNumbers.documentNumbers;
  const [first] = await issued();
  const { errors } = await gateway.ask(
    `mutation { voidDocumentNumber(input: { projectCode: "DEMO", number: "${first.number}", reason: "x" }) { __typename } }`,
  );
  expect(errors).toEqual([]);
  expect(await statementsOf(issue, LEDGER)).toHaveLength(1);
  const replayed = await issued();
  expect(replayed.map(({ status }) => status)).toEqual(['VOID', ...Array(19).fill('ISSUED')]);
  expect(replayed[1]).toMatchObject({ actorId: '1', reason: null, expiresAt: null, actor: { id: '1' } });
});

test('a sealed number shows its chain, position and seal; any other shows none', async () => {
  const pool = new pg.Pool({ connectionString: stores.databaseUrl, max: 1 });
  await pool.query(`BEGIN; SELECT document_number_lock_chains_v1(ARRAY['issuer'], 1000)`);
  await pool.query(`
    SELECT document_number_seal_v1(ARRAY['issuer'], ARRAY[1], ARRAY[counter_id], ARRAY[sequence], ARRAY['5ea1'])
    FROM document_numbers ORDER BY counter_id, sequence LIMIT 1`);
  await pool.query('COMMIT');
  await pool.end();
  const { data } = await gateway.ask(ledger(2));
  const seals = data.documentNumbers.edges.map(({ node }: { node: { seal: unknown } }) => node.seal);
  expect(seals).toEqual([{ chain: 'issuer', position: 1, seal: '5ea1' }, null]);
});

test('concurrent callers that need an uncached code cause one PostgreSQL query', async () => {
  const other = await startTestGateway(stores);
  await other.ask(
    'mutation { createDiscipline(input: { code: "CROWD", name: "x" }) { ... on Discipline { id } } }',
  );
  await other.stop();
  const preview = `{ documentNumberPreview(input: {
    projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "CROWD" }) { number } }`;
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.ask(preview)));
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    const asked = spy.mock.calls.filter((call) => /FROM .*disciplines/.test(JSON.stringify(call[0])));
    expect(asked).toHaveLength(1);
  } finally {
    spy.mockRestore();
  }
});
