import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayProcess, startGatewayWithStores, until } from '@solegate/testkit';
import { buildSchema } from 'graphql';
import type { GraphqlResult } from '../src/contract/operation.js';
import { OPERATIONS } from '../src/generated/operations.js';
import { type Client, createClient, isTsid, parseTsid, RefusedError } from '../src/index.js';

/** The operations, on the real gateway and real stores. */
const series = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };
const ofDemo = { projectCode: 'DEMO' };
const called = new Set<string>();
let gateway: GatewayProcess;
let client: Client;

beforeAll(async () => {
  gateway = await startGatewayWithStores();
  client = new Proxy(createClient({ url: gateway.url }), {
    get(target, name, receiver) {
      called.add(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
});

afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
});

/** The outcome, which must have this type; any other fails the test. */
function as<Name extends string, Result extends { readonly __typename: string }>(
  name: Name,
  result: Result,
): Extract<Result, { readonly __typename: Name }> {
  expect(result).toMatchObject({ __typename: name });
  return result as Extract<Result, { readonly __typename: Name }>;
}

async function firstOf<Event>(events: AsyncIterable<Event>): Promise<Event> {
  for await (const event of events) return event;
  throw new Error('no event came');
}

test('IDs are generated and decoded, and nodes are listed', async () => {
  const { ids } = await client.generateTsids({ count: 3 });
  expect(ids.every(isTsid)).toBe(true);
  const [id = parseTsid('0')] = ids;
  const parts = await client.tsid({ id });
  expect(parts).toMatchObject({ id, crockford: expect.stringMatching(/^[0-9A-Z]{13}$/) });
  const fleet = await client.nodeFleet({ state: 'HELD' });
  expect(fleet).toMatchObject({ nodeCount: 1024, nodes: [{ node: parts.node, isMine: true }] });
});

test('the responding process reports its last hour', async () => {
  const { parts, buckets } = await client.overview();
  expect(parts.map(({ isUp }) => isUp)).toEqual([true, true, true]);
  expect(buckets.at(-1)?.idCount).toBeGreaterThan(0);
  const promises = await client.promises();
  expect(promises.filter(({ works, limits }) => !works || limits.length > 0)).toEqual([]);
});

test('master data is created and listed', async () => {
  const input = { code: 'NEW', name: 'Something new' };
  await client.createProject({ input });
  await client.createOrganization({ input });
  await client.createCorrespondenceType({ input });
  await client.createDiscipline({ input });
  const lists = [
    await client.projects({ first: 1 }),
    await client.organizations({ first: 1 }),
    await client.correspondenceTypes({ first: 1 }),
    await client.disciplines({ first: 1 }),
  ];
  expect(lists.map(({ edges }) => edges[0]?.node.code)).toEqual(['NEW', 'NEW', 'NEW', 'NEW']);
  const renamed = { code: 'NEW', name: 'No longer new' };
  await client.renameProject({ input: renamed });
  await client.renameOrganization({ input: renamed });
  await client.renameCorrespondenceType({ input: renamed });
  await client.renameDiscipline({ input: renamed });
  expect(await client.project({ code: 'NEW' })).toMatchObject(renamed);
});

test('a series is defined, formatted, previewed and counted', async () => {
  await client.createCorrespondenceType({ input: { code: 'SKETCH', name: 'Sketch' } });
  const sketches = { projectCode: 'DEMO', typeCode: 'SKETCH' };
  const manualInterval = { first: 9001, last: 9999 };
  const defined = await client.defineDocumentSeries({ input: { ...sketches, rules: {}, manualInterval } });
  expect(defined).toMatchObject({ typeCode: 'SKETCH', reset: 'YEAR', manualInterval });
  const template = '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}';
  expect(await client.saveDocumentNumberFormat({ input: { ...sketches, template } })).toMatchObject({
    version: 1,
  });
  const check = { ...sketches, template: '{NOBODY}' };
  as('DocumentNumberFormatInvalid', await client.documentNumberFormatCheck({ input: check }));
  const second = await client.saveDocumentNumberFormat({ input: { ...sketches, template: `S-${template}` } });
  const { version } = second;
  as(
    'DocumentNumberFormatWithdrawn',
    await client.withdrawDocumentNumberFormat({ input: { ...sketches, version } }),
  );
  const standard = { projectCode: 'NEW', template: '{TYPE}-{DISCIPLINE}-{ORG}-{YEAR}-{SEQ:5}' };
  expect(await client.saveDefaultDocumentNumberFormat({ input: standard })).toMatchObject({ formats: [] });
  for (const { edges } of [
    await client.documentNumberFormats({ filter: ofDemo }),
    await client.documentSeries(ofDemo),
  ]) {
    expect(edges.map(({ node }) => node.typeCode)).toContain('SKETCH');
  }
  const address = { ...series, typeCode: 'SKETCH' };
  expect(await client.documentNumberPreview({ input: address })).toMatchObject({
    sequence: 1,
    promised: false,
  });
  expect(await client.skipDocumentNumbers({ input: { ...address, upTo: 4, reason: 'lost' } })).toMatchObject({
    skippedCount: 4,
  });
  const assigned = await client.assignDocumentNumber({
    input: { ...address, sequence: 9001, reason: 'by hand' },
  });
  expect(as('DocumentNumber', assigned)).toMatchObject({ status: 'MANUAL', sequence: 9001 });
  const { edges } = await client.documentNumberCounters({ filter: sketches });
  expect(edges.map(({ node }) => node.lastNumber)).toEqual([4]);
  await client.blockDocumentSeries({ input: { ...sketches, reason: 'replaced' } });
  as('SeriesBlocked', await client.issueDocumentNumber({ input: address }));
  expect(await client.unblockDocumentSeries({ input: sketches })).toMatchObject({ blockedReason: null });
  const regression = await client.acceptCounterRegression({ input: { ...address, reason: 'none' } });
  expect(regression.lastNumber).toBe(4);
});

test('numbers are issued, reserved, confirmed, cancelled, voided and replaced', async () => {
  const one = as('DocumentNumber', await client.issueDocumentNumber({ input: series }));
  const many = as(
    'DocumentNumbersIssued',
    await client.issueDocumentNumbers({ input: { ...series, count: 2 } }),
  );
  expect([one, ...many.documentNumbers].map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  const held = as('DocumentNumberReservation', await client.reserveDocumentNumber({ input: series }));
  expect(await client.confirmDocumentNumber({ input: { token: held.token } })).toMatchObject({
    status: 'ISSUED',
    sequence: 4,
  });
  const dropped = as('DocumentNumberReservation', await client.reserveDocumentNumber({ input: series }));
  const input = { token: dropped.token, reason: 'not needed' };
  expect(await client.cancelDocumentNumber({ input })).toMatchObject({ status: 'CANCELLED', sequence: 5 });
  const gone = { number: one.number, reason: 'a mistake' };
  expect(await client.voidDocumentNumber({ input: { ...gone, ...ofDemo } })).toMatchObject({
    status: 'VOID',
  });
  const [, second] = many.documentNumbers;
  const replaced = await client.replaceDocumentNumber({
    input: { number: second?.number ?? '', reason: 'a mistake', replacement: series },
  });
  expect(as('DocumentNumberReplaced', replaced).replacement).toMatchObject({ sequence: 6 });
});

test('the ledger is read, searched, reconciled, and rows are imported', async () => {
  const { edges } = await client.documentNumbers({ filter: { ...ofDemo, status: 'VOID' } });
  const [number = ''] = edges.map(({ node }) => node.number);
  expect(await client.documentNumber({ by: { number: { number, ...ofDemo } } })).toMatchObject({
    status: 'VOID',
  });
  const { numbers } = await client.searchDocumentNumbers({ search: { text: number.toLowerCase() } });
  expect(numbers).toMatchObject([{ number, status: 'VOID' }]);
  const followed = firstOf(client.documentNumberFacts({ ...ofDemo, typeCode: 'RFA' }));
  expect((await followed).facts.map(({ number: { sequence } }) => sequence)).toContain(1);
  const events = await client.documentNumberEvents({ filter: { ...ofDemo, number } });
  expect(events.edges.map(({ node }) => node.type)).toContain('NUMBER_VOIDED');
  const { projectCode: _project, ...row } = series;
  const rows = [{ ...row, sequence: 1, date: '2019-05-01' }];
  const input = { ...ofDemo, rows, dryRun: true };
  expect(await client.importDocumentNumbers({ input })).toMatchObject({ imported: false, rowCount: 1 });
  expect(await client.reconcileDocumentNumbers({ input: ofDemo })).toMatchObject({ findings: [] });
});

test('a document has its number', async () => {
  const created = await client.createCorrespondence({ input: { ...series, subject: 'Walls' } });
  const { id, documentNumber } = as('Correspondence', created);
  expect(await client.correspondence({ id })).toMatchObject({ documentNumber, project: { code: 'DEMO' } });
  const { edges } = await client.correspondences({ filter: ofDemo });
  expect(edges.map(({ node }) => node.subject)).toEqual(['Walls']);
});

test('a number that someone else issues arrives as an event', async () => {
  const issued = firstOf(client.documentNumberIssued());
  let isHeard = false;
  void issued.then(() => {
    isHeard = true;
  });
  await until(async () => {
    await client.issueDocumentNumber({ input: series });
    return isHeard;
  });
  expect((await issued).typeCode).toBe('RFA');
});

test('a trip is requested, offered, accepted, started and completed while its rider watches', async () => {
  const offered = firstOf(client.tripOffered());
  let isHeard = false;
  void offered.then(() => {
    isHeard = true;
  });
  await until(async () => {
    await client.requestTrip({ input: {} });
    return isHeard;
  });
  const { tripId, offerEpoch } = await offered;
  const input = { tripId, offerEpoch };
  as('TripBroadcast', await client.broadcastTrip({ input }));
  const accepted = as('TripAccepted', await client.acceptTrip({ input }));
  expect(as('TripAccepted', await client.acceptTrip({ input }))).toEqual(accepted);
  as('DriverArrived', await client.reportArrival({ input: { tripId } }));
  as('NoShowTooEarly', await client.reportNoShow({ input: { tripId } }));
  as('TripStarted', await client.startTrip({ input: { tripId } }));
  as('TripCompleted', await client.completeTrip({ input: { tripId } }));
  expect(await client.trip({ id: tripId })).toMatchObject({ status: 'COMPLETED', driverId: '1' });
  const history = await client.tripHistory({ tripId });
  const seen: string[] = [];
  for await (const { type } of client.tripUpdated({ tripId, afterRevision: 0 })) seen.push(type);
  expect(seen).toEqual(history.map(({ type }) => type));
  const steps = await client.tripOfferSteps({ tripId });
  expect(steps.at(0)).toMatchObject({ driverIds: null });
  const { events } = await firstOf(client.tripEvents());
  expect(events.map((event) => event.tripId)).toContain(tripId);
  await until(async () => (await client.tripAttempts({ tripId })).length > 0);
  expect((await client.trips({ filter: { as: 'DRIVER' } })).edges.map(({ node }) => node.id)).toEqual([
    tripId,
  ]);
});

test('a driver reports a position', async () => {
  const { countsForMs } = await client.updateDriverPosition({ input: { latitude: 13.7, longitude: 100.5 } });
  expect(countsForMs).toBeGreaterThan(0);
});

test('a trip is rejected and cancelled', async () => {
  const trip = await client.requestTrip({ input: {} });
  const input = { tripId: trip.id, offerEpoch: trip.offerEpoch };
  as('TripRejected', await client.rejectTrip({ input }));
  expect(as('NotOffered', await client.acceptTrip({ input })).reason).toBe('REJECTED');
  as('TripCancelled', await client.cancelTrip({ input: { tripId: trip.id, as: 'RIDER' } }));
});

test('a code that does not exist is refused, with advice', async () => {
  const call = client.issueDocumentNumber({ input: { ...series, organizationCode: 'NOBODY' } });
  await expect(call).rejects.toBeInstanceOf(RefusedError);
  await expect(call).rejects.toMatchObject({ code: 'BAD_USER_INPUT', reason: 'UNKNOWN_CODE' });
});

test('these tests call every operation of the schema, except deprecated ones', () => {
  const text = readFileSync(new URL('../../../apps/gateway/schema.graphql', import.meta.url), 'utf8');
  const schema = buildSchema(text);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((root) => Object.values(root?.getFields() ?? {}));
  const current = fields.filter(({ deprecationReason }) => deprecationReason === undefined);
  expect(current.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
});

test.each(Object.entries(OPERATIONS))(
  'the gateway accepts the document of %s',
  async (_name, { kind, id, text }) => {
    const accept = kind === 'subscription' ? 'text/event-stream' : 'application/json';
    const left = new AbortController();
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ documentId: id, query: text }),
      signal: left.signal,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    const { errors = [] } = isStream ? {} : ((await response.json()) as GraphqlResult);
    left.abort();
    const codes = errors.map(({ extensions }) => extensions?.code);
    // Variables are missing; nothing else is wrong: it parses, is valid, and within the limits of depth and cost.
    expect(codes.filter((code) => code !== 'BAD_USER_INPUT')).toEqual([]);
  },
);
