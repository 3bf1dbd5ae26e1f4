import { expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { ACCEPT, address, CellSystem, ISSUE, makeProject, REQUEST_TRIP } from './cells-fixture.js';
import type { Answer, TestGateway } from './gateway-fixture.js';

/** The primary of one cell is killed: other cells are unaffected, also through a gateway that starts during the outage. */
const ROUNDS = 25;
/** As a client repeats a request of its own whose reply was lost. */
const REPEAT = `mutation ($tripId: TSID!) {
  requestTrip(input: { tripId: $tripId, offerTtlMs: 60000 }) { ... on Trip { id } }
}`;
let personCount = 0;

/** Issues a number and has two drivers compete for a trip, in one cell. Returns the errors of all answers. */
async function useCell(gateway: TestGateway, cell: number): Promise<Answer['errors']> {
  personCount += 3;
  const rider = `rider-${personCount}`;
  const [number, asked] = await Promise.all([
    gateway.ask(ISSUE, { variables: { input: address(cell) } }),
    gateway.ask(REQUEST_TRIP, { as: rider, variables: { region: `r${cell}` } }),
  ]);
  if (asked.data?.requestTrip === undefined) return [...number.errors, ...asked.errors];
  const { id: tripId, offerEpoch } = asked.data.requestTrip;
  const again = await gateway.ask(REPEAT, { as: rider, variables: { tripId } });
  const errors = [...number.errors, ...asked.errors, ...again.errors];
  const drivers = [personCount + 1, personCount + 2].map((driver) =>
    gateway.ask(ACCEPT, { as: `driver-${driver}`, variables: { input: { tripId, offerEpoch } } }),
  );
  const answers = await Promise.all(drivers);
  const kinds = answers.map(({ data }) => data?.acceptTrip?.__typename);
  expect(kinds.filter((kind) => kind === 'TripAccepted')).toHaveLength(1);
  return [...errors, ...answers.flatMap((answer) => answer.errors)];
}

const useAll = (gateway: TestGateway, cells: readonly number[]): Promise<Answer['errors'][]> =>
  Promise.all(cells.map((cell) => useCell(gateway, cell)));

async function readiness({ url }: TestGateway): Promise<{ status: number; away: string[] }> {
  const response = await fetch(`${url}/health/ready`);
  const { away = {} } = (await response.json()) as { away?: Record<string, string> };
  return { status: response.status, away: Object.keys(away) };
}

async function ledgerOf(gateway: TestGateway, cell: number): Promise<number[]> {
  const { data } = await gateway.ask(
    'query ($code: String!) { documentNumbers(first: 100, filter: { projectCode: $code }) { edges { node { sequence } } } }',
    { variables: { code: `P${cell}` } },
  );
  return data.documentNumbers.edges.map(({ node }: { node: { sequence: number } }) => node.sequence);
}

test.each([
  [0, 2],
  [1, 2],
  [2, 4],
])(
  'with the primary of cell %i of %i killed, the others have 0 errors, through old gateways and one started meanwhile',
  async (killed, cellCount) => {
    await using system = await CellSystem.start(cellCount);
    const cells = Array.from({ length: cellCount }, (_, index) => index);
    const alive = cells.filter((cell) => cell !== killed);
    const gateways = [await system.gateway(), await system.gateway()];
    const [one, other] = gateways as [TestGateway, TestGateway];
    for (const cell of cells) {
      await makeProject(one, cell);
      expect(await useCell(other, cell)).toEqual([]);
    }

    const using = gateways.map(async (gateway) => {
      const errors: Answer['errors'][] = [];
      for (let round = 0; round < ROUNDS; round += 1) errors.push(...(await useAll(gateway, alive)));
      return errors.flat();
    });
    await system.servers[killed]?.kill();
    expect((await Promise.all(using)).flat()).toEqual([]);

    // Started while one of its databases is down: it reads the projects from another one.
    const late = await system.gateway();
    for (let round = 0; round < ROUNDS; round += 1) {
      expect((await useAll(late, alive)).flat()).toEqual([]);
    }
    await until(async () => (await readiness(one)).away.length > 0);
    for (const gateway of [one, late]) {
      expect(await readiness(gateway)).toEqual({ status: 200, away: [`postgres cell-${killed}`] });
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      expect(metrics).toContain(`solegate_cell_up{cell="cell-${killed}"} 0`);
      expect(metrics).toContain(`solegate_cell_up{cell="cell-${alive[0]}"} 1`);
      const refused = await gateway.ask(ISSUE, { variables: { input: address(killed) } });
      expect(refused.errors[0]?.extensions).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        reason: 'STORE_UNAVAILABLE',
        retryable: true,
      });
    }

    // What every cell has is recorded in the first one, and reaches this one when it is back.
    const created = await one.ask(
      'mutation { createOrganization(input: { code: "LATE", name: "Late" }) { ... on Organization { code } } }',
    );
    if (killed !== 0)
      expect(created).toMatchObject({ errors: [], data: { createOrganization: { code: 'LATE' } } });

    await system.servers[killed]?.restart();
    for (const gateway of [one, late]) {
      await until(async () => (await readiness(gateway)).away.length === 0);
      expect(await useCell(gateway, killed)).toEqual([]);
    }
    if (killed !== 0) {
      const late = `SELECT FROM organizations WHERE code = 'LATE'`;
      await until(async () => (await system.servers[killed]?.pool.query(late))?.rowCount === 1);
    }
    expect(await ledgerOf(one, killed)).toEqual([1, 2, 3]);
    const all = Array.from({ length: 1 + 3 * ROUNDS }, (_, index) => index + 1);
    for (const cell of alive) expect(await ledgerOf(one, cell)).toEqual(all);
  },
);

test('with a cell that does not answer, what every cell has is created at once by many, and other projects are searched', async () => {
  await using system = await CellSystem.start(2);
  const gateway = await system.gateway();
  for (const cell of [0, 1]) {
    await makeProject(gateway, cell);
    expect(await useCell(gateway, cell)).toEqual([]);
  }
  await system.servers[1]?.pause();
  await until(async () => (await readiness(gateway)).away.length > 0);
  const codes = Array.from({ length: 8 }, (_, index) => `MANY${index}`);
  const created = await Promise.all(
    codes.map((code) =>
      gateway.ask(`mutation { createOrganization(input: { code: "${code}", name: "x" }) { __typename } }`),
    ),
  );
  expect(created.flatMap(({ errors }) => errors)).toEqual([]);
  const search = (project: string) =>
    gateway.ask(`{ searchDocumentNumbers(search: { text: "TEAM", projectCode: "${project}" }) { total } }`);
  expect(await search('P0')).toMatchObject({ errors: [], data: { searchDocumentNumbers: { total: 1 } } });
  expect((await search('P1')).errors[0]?.extensions.reason).toBe('STORE_UNAVAILABLE');
});

test('a gateway started while a cell was away has the demo data; what only the first cell has is not called absent', async () => {
  await using system = await CellSystem.start(2);
  await system.servers[1]?.kill();
  const first = await system.gateway();
  await makeProject(first, 0);
  // What it has not written to the other cell by then is only in the first one.
  await first.stop();
  await system.servers[1]?.restart();
  const second = await system.gateway();
  await makeProject(second, 1);
  await system.servers[0]?.kill();
  const third = await system.gateway();
  const issue = { variables: { input: address(1) } };
  expect((await second.ask(ISSUE, issue)).errors).toEqual([]);
  expect((await third.ask(ISSUE, issue)).errors[0]?.extensions).toMatchObject({
    reason: 'STORE_UNAVAILABLE',
    retryable: true,
  });
});

test('trips are listed by the name of their cell, which the refusal tells', async () => {
  await using system = await CellSystem.start(2);
  const gateway = await system.gateway();
  const { data } = await gateway.ask(REQUEST_TRIP, { as: 'rider-1', variables: { region: 'r1' } });
  const { errors } = await gateway.ask('{ trips { pageInfo { hasNextPage } } }');
  expect(errors[0]?.message).toContain('cell-1');
  const listed = await gateway.ask('{ trips(filter: { region: "cell-1" }) { edges { node { id } } } }');
  expect(listed).toMatchObject({
    errors: [],
    data: { trips: { edges: [{ node: { id: data.requestTrip.id } }] } },
  });
});

test('a driver who subscribed while a cell was away is told that events were missed once it has started', async () => {
  await using system = await CellSystem.start(2);
  await (await system.gateway()).stop();
  await system.servers[1]?.kill();
  const gateway = await system.gateway();
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-demo-user': 'driver-5' },
    body: JSON.stringify({ query: 'subscription { tripOffered { tripId } }' }),
    signal: AbortSignal.timeout(60_000),
  });
  expect(response.status).toBe(200);
  await system.servers[1]?.restart();
  expect(await response.text()).toContain('EVENTS_MISSED');
});
