import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import type { Gateway } from '../src/assembly/gateway.js';
import { type AskOptions, ask, FileStores, startTestGateway } from './gateway-fixture.js';
import { startInProcess } from './in-process-gateway.js';

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
}, 60_000);

const REFERENCES =
  /(?:FROM|JOIN) "?(projects|organizations|correspondence_types|disciplines|people|correspondences|document_number_seals)\b/;

/** The referenced tables that a query reads, one entry per statement sent to the driver. */
async function statementsOf(query: string): Promise<string[]> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const { errors } = await gateway.ask(query);
    expect(errors).toEqual([]);
    return spy.mock.calls.flatMap(
      (call) => REFERENCES.exec(JSON.stringify(call[0]).replaceAll('\\', ''))?.[1] ?? [],
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
