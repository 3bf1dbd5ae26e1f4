import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { explain } from '@solegate/tsid-core';
import { given } from '../src/graphql/given.js';
import { ACCEPT, address, CellSystem, ISSUE, makeProject, REQUEST_TRIP } from './cells-fixture.js';
import type { Answer, TestGateway } from './gateway-fixture.js';

/** Two gateways over several PostgreSQL servers: the three guarantees hold, and all data is stored in its own cell. */
const CELL_COUNT = 4;
const CELLS = Array.from({ length: CELL_COUNT }, (_, index) => index);
let system: CellSystem;
let gateways: readonly TestGateway[];

beforeAll(async () => {
  system = await CellSystem.start(CELL_COUNT);
  gateways = [await system.gateway(), await system.gateway()];
  for (const cell of CELLS) await makeProject(at(cell), cell);
});
afterAll(async () => {
  await system?.[Symbol.asyncDispose]();
});

const CONTENDERS = Array.from({ length: 50 }, (_, index) => index + 1);

function at(contender: number): TestGateway {
  const gateway = gateways[contender % gateways.length];
  if (gateway === undefined) throw new Error('no such gateway');
  return gateway;
}

async function countIn(cell: number, text: string): Promise<number> {
  const { rows } =
    (await system.servers[cell]?.pool.query(`SELECT count(*)::int AS count FROM ${text}`)) ?? {};
  return rows?.[0]?.count;
}

const reasonOf = ({ errors }: Answer): unknown => errors[0]?.extensions.reason;
const cellOf = (id: string): number => Math.floor(explain(BigInt(id)).node / (1_024 / CELL_COUNT));

/** The count in each cell. */
const countsOf = (text: string): Promise<number[]> => Promise.all(CELLS.map((cell) => countIn(cell, text)));
const onlyIn = (cell: number, count: number): number[] => CELLS.map((one) => (one === cell ? count : 0));

describe.each(CELLS)('in cell %i, through both gateways', (cell) => {
  test('50 callers of one series get 1 to 50, recorded only in the ledger of that cell', async () => {
    const input = address(cell);
    const answers = await Promise.all(CONTENDERS.map((one) => at(one).ask(ISSUE, { variables: { input } })));
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    const issued = answers.map(({ data }) => data.issueDocumentNumber);
    expect(issued.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual(CONTENDERS);
    expect(new Set(issued.map(({ id }) => cellOf(id)))).toEqual(new Set([cell]));
    const space = `document_numbers WHERE space = (SELECT id::text FROM projects WHERE code = 'P${cell}')`;
    expect(await countsOf(space)).toEqual(onlyIn(cell, 50));
  });

  test('one of 50 drivers gets the trip, and its ID identifies the cell', async () => {
    const asked = await at(cell).ask(REQUEST_TRIP, { as: 'rider-1', variables: { region: `r${cell}` } });
    const { id: tripId, offerEpoch } = asked.data.requestTrip;
    expect(cellOf(tripId)).toBe(cell);
    const accept = async (contender: number): Promise<string> => {
      for (;;) {
        const variables = { input: { tripId, offerEpoch } };
        const { data } = await at(contender).ask(ACCEPT, {
          variables,
          as: `driver-${cell * 1_000 + contender}`,
        });
        // Like a client: retries while the outcome is undecided.
        if (data.acceptTrip.__typename !== 'TripUndecided') return data.acceptTrip.__typename;
      }
    };
    const kinds = await Promise.all(CONTENDERS.map(accept));
    expect(kinds.filter((kind) => kind === 'TripAccepted')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'TripTaken')).toHaveLength(49);
    const trip = `trips WHERE id = ${tripId} AND status = 'ACCEPTED'`;
    expect(await countsOf(trip)).toEqual(onlyIn(cell, 1));
  });

  test('only the drivers of the region are offered its nearest trips', async () => {
    const report = (driver: string, region: string) =>
      at(0).ask(
        `mutation { updateDriverPosition(input: { latitude: 1, longitude: ${cell}, region: "${region}" }) { ... on DriverPositionUpdated { countsForMs } } }`,
        { as: driver },
      );
    const [own, other] = [`driver-${9_000 + cell}`, `driver-${9_100 + cell}`];
    expect((await report(own, `r${cell}`)).data.updateDriverPosition).toEqual({ countsForMs: 30_000 });
    await report(other, `r${(cell + 1) % CELL_COUNT}`);
    const { data } = await at(1).ask(
      `mutation { requestTrip(input: { nearestFirst: true, region: "r${cell}", pickup: { latitude: 1, longitude: ${cell} } }) { ... on Trip { id } } }`,
      { as: 'rider-9' },
    );
    const read = (as: string) => at(0).ask(`{ trip(id: "${data.requestTrip.id}") { status } }`, { as });
    expect((await read(own)).data.trip).toEqual({ status: 'FINDING' });
    expect(reasonOf(await read(other))).toBe('NOT_YOUR_TRIP');
  });

  test('reservations, numbers and documents are found by keys that do not include a project', async () => {
    const { data } = await at(0).ask(
      `mutation ($input: ReserveDocumentNumberInput!) { reserveDocumentNumber(input: $input) {
        ... on DocumentNumberReservation { token documentNumber { id number } } } }`,
      { variables: { input: address(cell) } },
    );
    const { token, documentNumber: number } = data.reserveDocumentNumber;
    const confirmed = await at(1).ask(
      'mutation ($token: String!) { confirmDocumentNumber(input: { token: $token }) { ... on DocumentNumber { number } } }',
      { variables: { token } },
    );
    expect(confirmed.data.confirmDocumentNumber.number).toBe(number.number);
    const found = await at(1).ask(
      'query ($id: TSID!) { documentNumber(by: { id: $id }) { number status } }',
      {
        variables: { id: number.id },
      },
    );
    expect(found.data.documentNumber).toEqual({ number: number.number, status: 'ISSUED' });
    const written = await at(0).ask(
      `mutation ($input: CreateCorrespondenceInput!) { createCorrespondence(input: $input) {
        ... on Correspondence { id documentNumber } } }`,
      { variables: { input: { ...address(cell), subject: 'Kept with its number' } } },
    );
    const { id, documentNumber } = written.data.createCorrespondence;
    const read = await at(1).ask(
      'query ($id: TSID!) { correspondence(id: $id) { documentNumber project { code } } }',
      {
        variables: { id },
      },
    );
    expect(read.data.correspondence).toEqual({ documentNumber, project: { code: `P${cell}` } });
  });

  test('lists of a project and of a region are read from their cell', async () => {
    const { data, errors } = await at(cell).ask(
      `query ($project: String!, $region: String!) {
        documentNumbers(first: 100, filter: { projectCode: $project }) { edges { node { number } } }
        documentNumberCounters(filter: { projectCode: $project }) { edges { node { lastNumber limit perDay } } }
        documentSeries(projectCode: $project) { edges { node { typeCode } } }
        trips(filter: { region: $region }) { edges { node { id } } }
      }`,
      { variables: { project: `P${cell}`, region: `r${cell}` } },
    );
    expect(errors).toEqual([]);
    expect(data.documentNumbers.edges.length).toBeGreaterThanOrEqual(50);
    expect(data.documentNumberCounters.edges[0].node).toMatchObject({ lastNumber: 52, limit: 999_999 });
    expect(data.documentSeries).toEqual({ edges: [{ node: { typeCode: 'RFA' } }] });
    const cells = data.trips.edges.map(({ node }: { node: { id: string } }) => cellOf(node.id));
    expect(new Set(cells)).toEqual(new Set([cell]));
  });
});

test('a number is found by its text in the cells of all projects, a page at a time', async () => {
  const number = `TEAM-RFA-STR-${new Date().getFullYear()}-000001`;
  const found: string[] = [];
  let after: string | null = null;
  do {
    const { data, errors } = await at(0).ask(
      `query ($number: String!, $after: String) {
        documentNumbers(first: 3, after: $after, filter: { number: $number }) {
          edges { node { project { code } } } pageInfo { hasNextPage endCursor } } }`,
      { variables: { number, after } },
    );
    expect(errors).toEqual([]);
    const { edges, pageInfo } = data.documentNumbers;
    found.push(...edges.map(({ node }: { node: { project: { code: string } } }) => node.project.code));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  expect(found.toSorted()).toEqual(CELLS.map((cell) => `P${cell}`));
});

test('a search finds numbers in the cells of all projects, and skips those of the pages before', async () => {
  const text = `team-rfa-str-${new Date().getFullYear()}-000001`;
  const found: string[] = [];
  for (const skip of [0, 3]) {
    const { data, errors } = await at(0).ask(
      `query ($text: String!, $skip: Int!) { searchDocumentNumbers(search: { text: $text }, first: 3, skip: $skip) {
        total numbers { project { code } } } }`,
      { variables: { text, skip } },
    );
    expect(errors).toEqual([]);
    expect(data.searchDocumentNumbers.total).toBe(CELLS.length);
    for (const { project } of data.searchDocumentNumbers.numbers) found.push(project.code);
  }
  expect(found.toSorted()).toEqual(CELLS.map((cell) => `P${cell}`));
});

test('a driver has one active trip per cell, and so can have one in each of two cells, as the page on scaling says', async () => {
  const take = async (cell: number): Promise<string> => {
    const asked = await at(cell).ask(REQUEST_TRIP, { as: 'rider-5', variables: { region: `r${cell}` } });
    const { id: tripId, offerEpoch } = asked.data.requestTrip;
    const variables = { input: { tripId, offerEpoch } };
    return (await at(cell).ask(ACCEPT, { as: 'driver-9000', variables })).data.acceptTrip.__typename;
  };
  expect(await take(0)).toBe('TripAccepted');
  expect(await take(0)).toBe('DriverBusy');
  expect(await take(1)).toBe('TripAccepted');
  expect(await take(1)).toBe('DriverBusy');
});

test('concurrent races in all cells issue exactly 1 to 50 in each', async () => {
  const answers = await Promise.all(
    CELLS.flatMap((cell) =>
      CONTENDERS.map(async (contender) => {
        const variables = { input: { ...address(cell), disciplineCode: 'ARC' } };
        const { data } = await at(contender).ask(ISSUE, { variables });
        return { cell, sequence: data.issueDocumentNumber.sequence };
      }),
    ),
  );
  for (const cell of CELLS) {
    const sequences = answers.filter((answer) => answer.cell === cell).map(({ sequence }) => sequence);
    expect(sequences.toSorted((a, b) => a - b)).toEqual(CONTENDERS);
  }
});

describe('queries that would need every cell', () => {
  test.each([
    ['documentNumbers { pageInfo { hasNextPage } }', 'PROJECT_NEEDED'],
    ['documentNumberCounters { pageInfo { hasNextPage } }', 'PROJECT_NEEDED'],
    ['documentNumberEvents { pageInfo { hasNextPage } }', 'PROJECT_NEEDED'],
    ['documentSeries { pageInfo { hasNextPage } }', 'PROJECT_NEEDED'],
    ['documentNumberFormats { pageInfo { hasNextPage } }', 'PROJECT_NEEDED'],
    ['correspondences { pageInfo { hasNextPage } }', 'PROJECT_NEEDED'],
    ['trips { pageInfo { hasNextPage } }', 'REGION_NEEDED'],
  ])('%s is refused, with advice', async (field, reason) => {
    const answer = await at(0).ask(`{ ${field} }`);
    expect(reasonOf(answer)).toBe(reason);
  });

  test('exporting the ledger of every project is refused; exporting one project works', async () => {
    const whole = await fetch(`${at(0).url}/export/document-numbers.csv`);
    expect([whole.status, await whole.json()]).toEqual([
      400,
      {
        errors: [
          expect.objectContaining({ extensions: expect.objectContaining({ reason: 'PROJECT_NEEDED' }) }),
        ],
      },
    ]);
    const one = await fetch(`${at(0).url}/export/document-numbers.csv?projectCode=P1`);
    expect((await one.text()).trim().split('\r\n').length).toBeGreaterThan(50);
  });

  test('an unknown region, and an ID of another region, are rejected before execution', async () => {
    const elsewhere = await at(0).ask(REQUEST_TRIP, { as: 'rider-1', variables: { region: 'nowhere' } });
    expect(reasonOf(elsewhere)).toBe('UNKNOWN_REGION');
    const { data } = await at(0).ask(
      'mutation { generateTsids(count: 1) { ... on TsidsGenerated { ids } } }',
    );
    const ofOther = await at(0).ask(
      'mutation ($id: TSID!) { requestTrip(input: { tripId: $id, region: "r1" }) { ... on Trip { id } } }',
      { as: 'rider-1', variables: { id: data.generateTsids.ids[0] } },
    );
    expect(reasonOf(ofOther)).toBe('TRIP_ID_OF_OTHER_REGION');
  });

  test('a token that names an unknown cell is refused as bad input', async () => {
    const answer = await at(0).ask(
      'mutation { confirmDocumentNumber(input: { token: "nowhere~1.2.3" }) { ... on DocumentNumber { number } } }',
    );
    expect(answer.errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

test('a trip created before there were cells is found in the first cell, whatever its ID', async () => {
  const { data } = await at(0).ask(REQUEST_TRIP, { as: 'rider-7', variables: { region: 'r0' } });
  const old = BigInt(data.requestTrip.id);
  // As if a node from the upper half had minted the ID while there was only one cell.
  const upper = old | (1n << 21n);
  const pool = system.servers[0]?.pool;
  await pool?.query(
    `BEGIN; SET LOCAL session_replication_role = replica; UPDATE trips SET id = ${upper} WHERE id = ${old};
      UPDATE trip_outbox SET trip_id = ${upper} WHERE trip_id = ${old}; COMMIT`,
  );
  const found = await at(1).ask('query ($id: TSID!) { trip(id: $id) { id status } }', {
    variables: { id: String(upper) },
  });
  expect(found.data.trip).toEqual({ id: String(upper), status: 'FINDING' });
  const { data: past } = await at(1).ask(
    'query ($id: TSID!) { tripHistory(tripId: $id) { revision } tripOfferSteps(tripId: $id) { revision } }',
    { variables: { id: String(upper) } },
  );
  expect(past).toEqual({ tripHistory: [{ revision: 1 }], tripOfferSteps: [{ revision: 1 }] });
  const repeat = (as: string) =>
    at(1).ask(
      'mutation ($id: TSID!) { requestTrip(input: { tripId: $id }) { ... on Trip { id revision } } }',
      {
        as,
        variables: { id: String(upper) },
      },
    );
  expect((await repeat('rider-7')).data.requestTrip).toEqual({ id: String(upper), revision: 1 });
  expect(reasonOf(await repeat('rider-8'))).toBe('TRIP_CONFLICT');
  expect(await countsOf(`trips WHERE id = ${upper}`)).toEqual(onlyIn(0, 1));
  const accepted = await at(1).ask(ACCEPT, {
    as: 'driver-77',
    variables: { input: { tripId: String(upper), offerEpoch: 1 } },
  });
  expect(accepted.data.acceptTrip.__typename).toBe('TripAccepted');
});

test('a gateway whose list lacks the cell of a project rejects the request, so that another one can serve it', async () => {
  const { cells, ...places } = JSON.parse(system.list);
  const fewer = JSON.stringify({ ...places, cells: cells.slice(0, 2), projects: {}, regions: {} });
  const gateway = await system.gateway({ DATABASE_URL: fewer });
  const known = await gateway.ask(ISSUE, { variables: { input: address(1) } });
  expect(known.errors).toEqual([]);
  const unknown = await gateway.ask(ISSUE, { variables: { input: address(2) } });
  expect(unknown.errors[0]?.extensions).toMatchObject({ reason: 'CELL_UNKNOWN', retryable: true });
});

test('a gateway that finds all nodes of a cell taken says so, and serves what needs no new ID', async () => {
  const list = JSON.parse(system.list);
  list.cells[1].nodes = [256, 256];
  const narrow = { DATABASE_URL: JSON.stringify(list) };
  const metricsOf = async ({ url }: TestGateway) => (await fetch(`${url}/metrics`)).text();
  const last = await system.gateway(narrow);
  expect(await metricsOf(last)).toMatch(/^solegate_tsid_free_nodes_ratio 0$/m);
  const late = await system.gateway(narrow);
  expect(await metricsOf(late)).toMatch(/^solegate_tsid_free_nodes 0$/m);
  const { away } = (await (await fetch(`${late.url}/health/ready`)).json()) as { away: object };
  expect(away).toEqual({ 'nodeLease cell-1': 'all node IDs of the range are taken' });
  expect((await late.ask(ISSUE, { variables: { input: address(1) } })).errors).toEqual([]);
  const trip = await late.ask(REQUEST_TRIP, { as: 'rider-1', variables: { region: 'r1' } });
  expect(reasonOf(trip)).toBe('NODE_UNAVAILABLE');
  await last.stop();
  await late.stop();
});

describe('while a cell moves, what is not found there is not reported as absent', () => {
  /** Asks with a fence in the cell and without one. Returns the reasons of the answers. */
  const reasonsOf = async (cell: number, query: string, as?: string): Promise<unknown[]> => {
    const pool = system.servers[cell]?.pool;
    await pool?.query(`CREATE FUNCTION solegate_fence() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'`);
    const moving = await at(1).ask(query, given({ as }));
    await pool?.query('DROP FUNCTION solegate_fence()');
    return [moving, await at(1).ask(query, given({ as }))].map(reasonOf);
  };

  const mutation = (field: string, input: string) =>
    `mutation { ${field}(input: { ${input} }) { __typename } }`;

  test.each([
    ['trip', (id: string) => `{ trip(id: "${id}") { id } }`, undefined],
    ['trip to cancel', (id: string) => mutation('cancelTrip', `tripId: "${id}"`), 'TRIP_NOT_FOUND'],
  ])('a %s', async (_what, query, reason) => {
    const { data } = await at(0).ask(REQUEST_TRIP, { as: 'rider-2', variables: { region: 'r2' } });
    const unknown = String(BigInt(data.requestTrip.id) + 1n);
    expect(await reasonsOf(2, query(unknown), 'rider-2')).toEqual(['STORE_UNAVAILABLE', reason]);
  });

  const UNSET = 'projectCode: "P2", organizationCode: "TEAM", disciplineCode: "STR", typeCode: "UNSET"';
  beforeAll(async () => {
    const { errors } = await at(0).ask(mutation('createCorrespondenceType', 'code: "UNSET", name: "x"'));
    expect(errors).toEqual([]);
  });

  test.each([
    ['voidDocumentNumber', 'projectCode: "P2", number: "NONE-1", reason: "x"', 'NUMBER_NOT_FOUND'],
    ['confirmDocumentNumber', 'token: "cell-2~1.1.00000000-0000-4000-8000-000000000000"', 'NUMBER_NOT_FOUND'],
    ['issueDocumentNumber', UNSET, 'UNKNOWN_SERIES'],
    ['reserveDocumentNumber', UNSET, 'UNKNOWN_SERIES'],
    ['createCorrespondence', `${UNSET}, subject: "x", body: "x"`, 'UNKNOWN_SERIES'],
  ])('by %s', async (field, input, reason) => {
    expect(await reasonsOf(2, mutation(field, input))).toEqual(['STORE_UNAVAILABLE', reason]);
  });

  test.each([
    [2, '{ documentNumbers(filter: { projectCode: "P2", number: "NONE-1" }) { __typename } }', undefined],
    [2, '{ documentNumbers(filter: { number: "NONE-1" }) { __typename } }', undefined],
    [2, '{ searchDocumentNumbers(search: { text: "NONE" }) { total } }', undefined],
    [0, '{ project(code: "NONE") { id } }', undefined],
    [0, mutation('issueDocumentNumber', UNSET.replace('TEAM', 'NONE')), 'UNKNOWN_CODE'],
  ])('in cell %i by %s', async (cell, query, reason) => {
    expect(await reasonsOf(cell, query)).toEqual(['STORE_UNAVAILABLE', reason]);
  });
});

test('a document whose organization its cell does not have yet is to be requested again, and takes no number', async () => {
  const created = await at(0).ask(
    'mutation { createOrganization(input: { code: "LAGS", name: "x" }) { __typename } }',
  );
  expect(created.errors).toEqual([]);
  await system.servers[3]?.pool.query(`DELETE FROM organizations WHERE code = 'LAGS'`);
  const input = { ...address(3), organizationCode: 'LAGS', subject: 'x', body: 'x' };
  const create =
    'mutation ($input: CreateCorrespondenceInput!) { createCorrespondence(input: $input) { __typename } }';
  const { errors } = await at(0).ask(create, { variables: { input } });
  expect(errors[0]?.extensions).toMatchObject({ reason: 'STORE_UNAVAILABLE', retryable: true });
  expect(await countIn(3, `document_numbers WHERE number LIKE '%LAGS%'`)).toBe(0);
});

test('metrics and the overview name the cells', async () => {
  const metrics = await (await fetch(`${at(0).url}/metrics`)).text();
  expect(metrics).toMatch(/^solegate_cell_up\{cell="cell-0"\} 1$/m);
  expect(metrics).toMatch(/^solegate_cell_numbers_issued_total\{cell="cell-1"\} \d+$/m);
  const { data } = await at(0).ask('{ overview { parts { name isUp } } }');
  expect(data.overview.parts.map(({ name }: { name: string }) => name)).toEqual([
    ...CELLS.map((cell) => `postgres cell-${cell}`),
    'redis',
    ...CELLS.map((cell) => `nodeLease cell-${cell}`),
  ]);
});
