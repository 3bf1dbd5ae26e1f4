import { describe, expect, test } from '@jest/globals';
import { gatewayOfFile, type Json } from './gateway-fixture.js';
import { RESULT, SeriesClerk } from './series-clerk.js';

/** What administrators and auditors do with numbers: assign, skip, replace, read events, reconcile and export. */
const gateway = gatewayOfFile();

const clerk = new SeriesClerk(gateway, 'L');
const ask = (query: string, as?: string): Promise<Json> => clerk.ask(query, as);
const freshSeries = clerk.freshSeries.bind(clerk);
const issue = clerk.issue.bind(clerk);

test('a chosen number is assigned, skipped numbers are recorded, and the counter continues above it', async () => {
  const series = await freshSeries();
  const { assignDocumentNumber } = await ask(
    `mutation { assignDocumentNumber(input: { ${series}, sequence: 5, reason: "the stamp says so" }) ${RESULT} }`,
  );
  expect(assignDocumentNumber).toMatchObject({ sequence: 5, status: 'MANUAL', reason: 'the stamp says so' });
  const { skipDocumentNumbers } = await ask(
    `mutation { skipDocumentNumbers(input: { ${series}, upTo: 8, reason: "lost" }) { ... on DocumentNumbersSkipped { skippedCount } } }`,
  );
  expect(skipDocumentNumbers.skippedCount).toBe(3);
  expect(await issue(series)).toMatchObject({ sequence: 9 });
});

test('a number is replaced by the next one, in one commit', async () => {
  const series = await freshSeries();
  const { number } = await issue(series);
  const { replaceDocumentNumber } = await ask(`mutation { replaceDocumentNumber(input: {
    number: "${number}", reason: "wrong drawing", replacement: { ${series} } }) {
    ... on DocumentNumberReplaced { voided { number status replacedBy reason voidReason voidedById voidedBy { name } }
      replacement { number sequence status } } } }`);
  const { voided, replacement } = replaceDocumentNumber;
  const said = { reason: null, voidReason: 'wrong drawing', voidedById: '5', voidedBy: { name: 'Ekkachai' } };
  expect(voided).toEqual({ number, status: 'VOID', replacedBy: replacement.number, ...said });
  expect(replacement).toMatchObject({ sequence: 2, status: 'ISSUED' });
});

test('a key replaces one number only, and is not one that issued a number', async () => {
  const series = await freshSeries();
  const [one, other] = [await issue(series), await issue(`${series}, idempotencyKey: "issued"`)];
  const replace = async (number: string, key: string): Promise<Json> =>
    (
      await ask(`mutation { replaceDocumentNumber(input: {
        number: "${number}", reason: "wrong", replacement: { ${series}, idempotencyKey: "${key}" } }) {
        __typename ... on DocumentNumberReplaced { replacement { sequence } } } }`)
    ).replaceDocumentNumber;
  const replaced = { __typename: 'DocumentNumberReplaced', replacement: { sequence: 3 } };
  expect(await replace(one.number, 'issued')).toEqual({ __typename: 'IdempotencyKeyReused' });
  expect([await replace(one.number, 'replaced'), await replace(one.number, 'replaced')]).toEqual([
    replaced,
    replaced,
  ]);
  expect(await replace(other.number, 'replaced')).toEqual({ __typename: 'IdempotencyKeyReused' });
  const { documentNumber } = await ask(
    `{ documentNumber(by: { number: { projectCode: "DEMO", number: "${other.number}" } }) { status } }`,
  );
  expect(documentNumber.status).toBe('ISSUED');
});

test('the history of a number is read in pages, with actor and reason', async () => {
  const series = await freshSeries();
  const { number } = await issue(series);
  await ask(`mutation { voidDocumentNumber(input: {
    projectCode: "DEMO", number: "${number}", reason: "a mistake" }) { ... on DocumentNumber { status } } }`);
  const { documentNumberEvents } = await ask(
    `{ documentNumberEvents(first: 10, filter: { projectCode: "DEMO", number: "${number}" }) {
      edges { node { id type number sequence actorId actor { name } reason facts occurredAt } } pageInfo { hasNextPage } } }`,
    'auditor-2',
  );
  const nodes = documentNumberEvents.edges.map(({ node }: Json) => node);
  expect(nodes).toContainEqual(
    expect.objectContaining({
      number,
      sequence: 1,
      actorId: '5',
      reason: 'a mistake',
      facts: expect.any(Object),
      actor: { name: 'Ekkachai' },
    }),
  );
});

test('reconciliation finds nothing in a consistent ledger, and reports a format that is nearly full', async () => {
  const series = await freshSeries({ template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:1}' });
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  const reconcile = async () =>
    (
      await ask(`mutation { reconcileDocumentNumbers(input: { projectCode: "DEMO", typeCode: "${typeCode}" }) {
        ... on DocumentNumbersReconciled { findings {
          kind lastNumber widthUsed }
        }
      } }`)
    ).reconcileDocumentNumbers.findings;
  expect(await reconcile()).toEqual([]);
  await ask(`mutation { issueDocumentNumbers(input: { ${series}, count: 9 }) { __typename } }`);
  expect(await reconcile()).toEqual([{ kind: 'WIDTH', lastNumber: 9, widthUsed: 1 }]);
});

describe('the ledger export', () => {
  const fetchCsv = (query: string, as = 'auditor-2') =>
    fetch(`${gateway.url}/export/document-numbers.csv?${query}`, { headers: { 'x-demo-user': as } });

  test('has one line per number that matches the filter', async () => {
    const series = await freshSeries();
    const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
    const numbers = [(await issue(series)).number, (await issue(series)).number];
    const response = await fetchCsv(`projectCode=DEMO&typeCode=${typeCode}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...lines] = (await response.text()).trim().split('\r\n');
    expect(header).toContain('number');
    expect(lines).toHaveLength(2);
    for (const number of numbers) expect(lines.some((line) => line.includes(number))).toBe(true);
  });

  test.each([
    ['an unknown project', 'projectCode=NOPE', 'UNKNOWN_CODE', 400],
    ['an unknown filter', 'colour=red', 'EXPORT_CONDITION', 400],
    ['a repeated filter', 'typeCode=RFA&typeCode=RFI', 'EXPORT_CONDITION', 400],
    ['an invalid date', 'dateFrom=infinity', 'EXPORT_CONDITION', 400],
    ['a date that no number has', 'dateTo=0000-01-01', 'EXPORT_CONDITION', 400],
    ['a text that cannot be stored', 'typeCode=%00', 'EXPORT_CONDITION', 400],
  ])('is refused for %s with a GraphQL error', async (_what, query, reason, status) => {
    const response = await fetchCsv(query);
    expect(response.status).toBe(status);
    expect(((await response.json()) as Json).errors[0].extensions.reason).toBe(reason);
  });

  test('is limited to roles that can read it', async () => {
    const response = await fetchCsv('projectCode=DEMO', 'driver-1');
    expect(response.status).toBe(403);
  });
});

describe('permission to', () => {
  test.each([
    [
      'define a series',
      'defineDocumentSeries(input: { projectCode: "DEMO", typeCode: "RFA", rules: {} }) { ... on DocumentSeries { id } }',
    ],
    [
      'skip',
      'skipDocumentNumbers(input: { SERIES, upTo: 5, reason: "x" }) { ... on DocumentNumbersSkipped { skippedCount } }',
    ],
    ['assign', 'assignDocumentNumber(input: { SERIES, sequence: 5, reason: "x" }) { __typename }'],
    [
      'replace',
      'replaceDocumentNumber(input: { number: "x", reason: "x", replacement: { SERIES } }) { __typename }',
    ],
    [
      'reconcile',
      'reconcileDocumentNumbers(input: {}) { ... on DocumentNumbersReconciled { findings { kind } } }',
    ],
    [
      'block',
      'blockDocumentSeries(input: { projectCode: "DEMO", typeCode: "RFA", reason: "x" }) { ... on DocumentSeries { id } }',
    ],
    [
      'unblock',
      'unblockDocumentSeries(input: { projectCode: "DEMO", typeCode: "RFA" }) { ... on DocumentSeries { id } }',
    ],
    [
      'withdraw a format',
      'withdrawDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "RFA", version: 1 }) { __typename }',
    ],
    [
      'accept a regression',
      'acceptCounterRegression(input: { SERIES, reason: "x" }) { ... on CounterRegressionAccepted { lastNumber } }',
    ],
  ])('%s is limited to administrators', async (_what, mutation) => {
    const series = 'projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';
    for (const as of ['clerk-1', 'auditor-1', 'driver-1']) {
      const { errors } = await gateway.ask(`mutation { ${mutation.replace('SERIES', series)} }`, { as });
      expect(errors[0]?.extensions.reason).toBe('ROLE_MISSING');
    }
  });
});

describe('an offer', () => {
  const request = async (input: string): Promise<string> =>
    (await ask(`mutation { requestTrip(input: { ${input} }) { ... on Trip { id } } }`, 'rider-61'))
      .requestTrip.id;
  const broadcast = (id: string, as: string, more = '') =>
    gateway.ask(
      `mutation { broadcastTrip(input: { tripId: "${id}", offerEpoch: 1 ${more} }) {
        __typename ... on TripBroadcast { trip { status offerExpiresAt } } ... on TripRefusal { message }
      } }`,
      { as },
    );
  const accept = async (id: string, as: string) =>
    (await ask(`mutation { acceptTrip(input: { tripId: "${id}", offerEpoch: 1 }) { __typename } }`, as))
      .acceptTrip.__typename;

  test('is broadcast only by its rider', async () => {
    const id = await request('offeredTo: ["601"]');
    expect(await accept(id, 'driver-602')).toBe('NotOffered');
    expect((await broadcast(id, 'rider-62')).errors[0]?.extensions.reason).toBe('NOT_YOUR_TRIP');
    const { data } = await broadcast(id, 'rider-61', ', offeredTo: ["602"], offerTtlMs: 60000');
    expect(data.broadcastTrip).toMatchObject({ __typename: 'TripBroadcast', trip: { status: 'FINDING' } });
    expect(await accept(id, 'driver-602')).toBe('TripAccepted');
    expect((await broadcast(id, 'rider-61')).data.broadcastTrip.__typename).toMatch(/TripTaken|TripNotOpen/);
  });

  test('has its accepts counted', async () => {
    const id = await request('');
    expect(await accept(id, 'driver-603')).toBe('TripAccepted');
    expect(await accept(id, 'driver-604')).toBe('TripTaken');
    const attempts = async () =>
      (await ask(`{ tripAttempts(tripId: "${id}") { offerEpoch outcome count } }`)).tripAttempts;
    for (let turn = 0; turn < 100 && (await attempts()).length < 2; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await attempts()).toEqual([
      { offerEpoch: 1, outcome: 'ACCEPTED', count: 1 },
      { offerEpoch: 1, outcome: 'TAKEN', count: 1 },
    ]);
  });
});
