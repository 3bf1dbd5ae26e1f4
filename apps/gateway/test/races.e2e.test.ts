import { describe, expect, test } from '@jest/globals';
import { type Answer, FileStores, type TestGateway } from './gateway-fixture.js';

/** The races of the three guarantees over HTTP, through one gateway and through two on the same stores. */
const stores = new FileStores();
const gateways = [stores.gateway(), stores.gateway()];

const CONTENDERS = Array.from({ length: 100 }, (_, index) => index + 1);

const ISSUE = `mutation ($input: IssueDocumentNumberInput!) {
  issueDocumentNumber(input: $input) { ... on DocumentNumber { number sequence } }
}`;
const REQUEST_TRIP = 'mutation { requestTrip(input: {}) { ... on Trip { id offerEpoch } } }';
const ACCEPT = `mutation ($input: AnswerOfferInput!) {
  acceptTrip(input: $input) { __typename ... on TripRefusal { message } ... on TripAccepted { driverId } }
}`;

async function freshSeries(code: string): Promise<object> {
  const { errors } = await at(0).ask(
    `mutation { createDiscipline(input: { code: "${code}", name: "Fresh" }) { ... on Discipline { id } } }`,
  );
  expect(errors).toEqual([]);
  return { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: code };
}

/** Contender n uses gateway n modulo the number of gateways. */
function at(contender: number, gatewayCount = 1): TestGateway {
  const gateway = gateways[contender % gatewayCount];
  if (gateway === undefined) throw new Error('no such gateway');
  return gateway;
}

test('two gateways on the same stores have different node IDs', async () => {
  const nodes = new Set(gateways.map(({ node }) => node));
  expect(nodes.size).toBe(2);
  const { data } = await at(0).ask(
    '{ nodeFleet { freeNodeCount nodes(state: HELD) { node holder secondsLeft isMine } } }',
  );
  expect(data.nodeFleet.nodes).toHaveLength(2);
  expect(data.nodeFleet.nodes.filter((lease: { isMine: boolean }) => lease.isMine)).toHaveLength(1);
  for (const lease of data.nodeFleet.nodes) expect(lease.secondsLeft).toBeGreaterThan(0);
  expect(data.nodeFleet.freeNodeCount).toBe(1022);
});

describe.each([1, 2])('through %i gateway(s)', (gatewayCount) => {
  test('100 callers of one fresh series get exactly 1 to 100', async () => {
    const input = await freshSeries(`FRESH${gatewayCount}`);
    const answers = await Promise.all(
      CONTENDERS.map((contender) => at(contender, gatewayCount).ask(ISSUE, { variables: { input } })),
    );
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    const sequences = answers.map(({ data }) => data.issueDocumentNumber.sequence);
    expect(sequences.toSorted((a, b) => a - b)).toEqual(CONTENDERS);
    const numbers = new Set(answers.map(({ data }) => data.issueDocumentNumber.number));
    expect(numbers.size).toBe(CONTENDERS.length);
  });

  test('exactly one of 100 drivers gets TripAccepted, and 99 get a typed refusal', async () => {
    const { data } = await at(0).ask(REQUEST_TRIP, { as: 'rider-1' });
    const { id: tripId, offerEpoch } = data.requestTrip;
    const accept = async (contender: number): Promise<Answer> => {
      for (;;) {
        const answer = await at(contender, gatewayCount).ask(ACCEPT, {
          variables: { input: { tripId, offerEpoch } },
          as: `driver-${gatewayCount * 1_000 + contender}`,
        });
        // Like a client: retries while the outcome is undecided.
        if (answer.data.acceptTrip?.__typename !== 'TripUndecided') return answer;
        await new Promise((resolve) => setTimeout(resolve, 800));
      }
    };
    const answers = await Promise.all(CONTENDERS.map(accept));
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    const kinds = answers.map((answer) => answer.data.acceptTrip.__typename);
    expect(kinds.filter((kind) => kind === 'TripAccepted')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'TripTaken')).toHaveLength(99);

    const winner = answers.find((answer) => answer.data.acceptTrip.__typename === 'TripAccepted');
    const stored = await at(1, gatewayCount).ask('query ($id: TSID!) { trip(id: $id) { status driverId } }', {
      variables: { id: tripId },
    });
    expect(stored.data.trip).toEqual({ status: 'ACCEPTED', driverId: winner?.data.acceptTrip.driverId });
  });

  test('IDs requested by 100 concurrent callers are all different', async () => {
    const answers = await Promise.all(
      CONTENDERS.map((contender) =>
        at(contender, gatewayCount).ask(
          'mutation { generateTsids(count: 200) { ... on TsidsGenerated { ids } } }',
        ),
      ),
    );
    const ids = answers.flatMap(({ data }) => data.generateTsids.ids);
    expect(new Set(ids).size).toBe(20_000);
  });
});
