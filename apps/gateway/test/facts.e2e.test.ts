import { afterAll, describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { type Client, createClient } from 'graphql-sse';
import { FileStores, type Json } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT, type TokenFacts } from './tokens.js';

/** What readers of facts may follow, and the error when they cannot go on. */
const clients: Client[] = [];

afterAll(() => {
  leaving.abort();
  for (const client of clients) client.dispose();
});
const stores = new FileStores();
const gateway = stores.gateway({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' });
const admin: TokenFacts = { subject: '1', roles: ['admin'] };
const SERIES = 'projectCode: "ONE", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';

async function run(query: string): Promise<Json> {
  const { data, errors } = await gateway.ask(query, { headers: await bearer(admin) });
  expect(errors).toEqual([]);
  return data;
}

async function follow(query: string, facts: TokenFacts = admin): Promise<AsyncIterableIterator<Json>> {
  const client = createClient({
    url: `${gateway.url}/graphql`,
    headers: await bearer(facts),
    retryAttempts: 0,
  });
  clients.push(client);
  return client.iterate({ query });
}

const leaving = new AbortController();

/** Kept: a response that nobody refers to is collected, which ends its stream. */
const opened: Response[] = [];

async function openStream(query: string, facts: TokenFacts): Promise<Response> {
  const headers = { ...(await bearer(facts)), accept: 'text/event-stream' };
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  });
  opened.push(response);
  return response;
}

async function refusalOf(query: string, facts: TokenFacts = admin): Promise<Json> {
  const response = await openStream(query, facts);
  return ((await response.json()) as Json).errors[0];
}

const facts = (more = '') => `subscription {
  documentNumberFacts(projectCode: "ONE", typeCode: "RFA" ${more}) {
    cursor facts { kind actorId reason replacedBy number { number sequence } }
  }
}`;

async function prepare(): Promise<void> {
  await run('mutation { createOrganization(input: { code: "TEAM", name: "x" }) { __typename } }');
  await run('mutation { createCorrespondenceType(input: { code: "RFA", name: "x" }) { __typename } }');
  await run('mutation { createDiscipline(input: { code: "STR", name: "x" }) { __typename } }');
  await run('mutation { createProject(input: { code: "ONE", name: "x" }) { __typename } }');
  await run(`mutation { saveDocumentNumberFormat(input: { projectCode: "ONE", typeCode: "RFA",
    template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}" }) { __typename } }`);
}

const issue = async (): Promise<string> => {
  const { issueDocumentNumber } = await run(
    `mutation { issueDocumentNumber(input: { ${SERIES} }) { ... on DocumentNumber { number } } }`,
  );
  return issueDocumentNumber.number;
};

describe('facts of numbers', () => {
  test('say who did what and why; those of a discipline leave out the others', async () => {
    await prepare();
    const number = await issue();
    await run(`mutation { voidDocumentNumber(input: { projectCode: "ONE", number: "${number}", reason: "typo" }) {
      __typename } }`);
    const said: Json[] = [];
    for await (const { data } of await follow(facts())) {
      said.push(...data.documentNumberFacts.facts);
      if (said.length >= 2) break;
    }
    const about = { number, sequence: 1 };
    expect(said).toEqual([
      { kind: 'ISSUED', actorId: '1', reason: null, replacedBy: null, number: about },
      { kind: 'VOIDED', actorId: '1', reason: 'typo', replacedBy: null, number: about },
    ]);
    const others = await follow(facts('disciplineCode: "MEP"'));
    const first = others.next();
    await issue();
    const quiet = new Promise((resolve) => setTimeout(() => resolve('nothing'), 1500));
    expect(await Promise.race([first, quiet])).toBe('nothing');
  });

  test('of a cursor of before a restore are refused, with the cursor from which to read again', async () => {
    await issue();
    const stream = await follow(facts());
    let cursor = '';
    let last = 0;
    for await (const { data } of stream) {
      ({ cursor } = data.documentNumberFacts);
      last = Math.max(last, ...data.documentNumberFacts.facts.map((fact: Json) => fact.number.sequence));
      if (last >= 2) break;
    }
    const { pool } = stores.database;
    await pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE document_numbers SET issued_at = issued_at + interval '1 s' WHERE sequence = ${last}; COMMIT`);
    const { message, extensions } = await refusalOf(facts(`after: "${cursor}"`));
    expect(message).toContain('The database was restored');
    expect(extensions).toMatchObject({
      code: 'FAILED_PRECONDITION',
      reason: 'FEED_REWOUND',
      retryable: false,
    });
    const again = await follow(facts(`after: "${extensions.after}"`));
    const { value } = await again.next();
    expect(value.data.documentNumberFacts.facts.length).toBeGreaterThan(0);
  });
});

describe('of equal requests at the same time, subscribers hear one number', () => {
  const runTwice = async (mutation: string, lock: string): Promise<Json[]> => {
    const { pool } = stores.database;
    const holder = await pool.connect();
    await holder.query(`BEGIN; ${lock}`);
    const running = Promise.all([run(mutation), run(mutation)]);
    const text = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await until(async () => (await pool.query(text)).rows.length === 2, { what: 'The second request' });
    await holder.query('ROLLBACK');
    holder.release();
    return running;
  };
  const heardDuring = async (work: () => Promise<string>): Promise<void> => {
    const stream = await follow('subscription { documentNumberIssued(projectCode: "ONE") { number } }');
    const heard: string[] = [];
    const hearing = (async () => {
      for await (const { data } of stream) heard.push(data.documentNumberIssued.number);
    })();
    const isHeard = async () => (await issue()) && heard.length > 0;
    await until(isHeard, { what: 'The subscription' });
    heard.length = 0;
    const number = await work();
    const last = await issue();
    await until(() => heard.includes(last), { what: 'The last number' });
    expect(heard.filter((one) => one === number)).toEqual([number]);
    await stream.return?.();
    await hearing;
  };

  test('that is confirmed', async () => {
    await heardDuring(async () => {
      const { reserveDocumentNumber: held } =
        await run(`mutation { reserveDocumentNumber(input: { ${SERIES} }) {
        ... on DocumentNumberReservation { token documentNumber { number } } } }`);
      const { number } = held.documentNumber;
      await runTwice(
        `mutation { confirmDocumentNumber(input: { token: "${held.token}" }) { __typename } }`,
        `SELECT FROM document_numbers WHERE number = '${number}' FOR UPDATE`,
      );
      return number;
    });
  });

  test('that replaces another', async () => {
    await heardDuring(async () => {
      const [done, again] = await runTwice(
        `mutation { replaceDocumentNumber(input: { number: "${await issue()}", reason: "typo",
          replacement: { ${SERIES}, idempotencyKey: "replaced once" } }) {
          ... on DocumentNumberReplaced { replacement { number } } } }`,
        'SELECT FROM document_number_counters FOR UPDATE',
      );
      expect(again).toEqual(done);
      return done.replaceDocumentNumber.replacement.number;
    });
  });
});

test.each([
  ['numbers', facts(), facts('after: "none"')],
  [
    'trips',
    'subscription { tripEvents { cursor } }',
    'subscription { tripEvents(after: "none") { cursor } }',
  ],
])(
  'facts of %s have ten readers of one person; who leaves or does not begin leaves a place',
  async (_what, query, broken) => {
    const reader: TokenFacts = { subject: '77', roles: ['admin'] };
    const other: TokenFacts = { subject: '78', roles: ['admin'] };
    for (let attempt = 0; attempt < 11; attempt += 1)
      expect((await refusalOf(broken, reader)).extensions.code).toBe('BAD_USER_INPUT');
    const open = () => openStream(query, reader);
    const streams = await Promise.all(Array.from({ length: 12 }, open));
    const refused = streams.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(2);
    for (const response of refused) {
      const { errors } = (await response.json()) as Json;
      expect(errors[0].extensions).toMatchObject({
        code: 'RATE_LIMITED',
        reason: 'TOO_MANY_FEEDS',
        retryable: true,
      });
    }
    expect((await openStream(query, other)).status).toBe(200);
    await streams.find(({ status }) => status === 200)?.body?.cancel();
    await until(async () => (await open()).status === 200, { what: 'The place of the one that left' });
    expect((await open()).status).toBe(429);
  },
);

test.each<[string, string, TokenFacts, string]>([
  [
    'of a foreign project',
    facts(),
    { subject: '2', roles: ['clerk'], projects: ['TWO'] },
    'NOT_YOUR_PROJECT',
  ],
  ['of no cursor', facts('after: "none"'), admin, 'INVALID_REQUEST'],
  [
    'of a token that is no dimension',
    facts('dimensions: [{ token: "COLOUR", code: "X" }]'),
    admin,
    'INVALID_REQUEST',
  ],
  [
    'for a driver',
    'subscription { tripEvents { cursor } }',
    { subject: '3', roles: ['driver'] },
    'ROLE_MISSING',
  ],
  ['of an unknown region', 'subscription { tripEvents(region: "mars") { cursor } }', admin, 'UNKNOWN_REGION'],
])('facts %s are refused', async (_what, query, who, reason) => {
  expect((await refusalOf(query, who)).extensions.reason).toBe(reason);
});
