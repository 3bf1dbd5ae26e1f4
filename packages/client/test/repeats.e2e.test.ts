import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayProcess, startGatewayWithStores } from '@solegate/testkit';
import { type Client, createClient } from '../src/index.js';

/** Checks repetition.ts against the real gateway: a repeat of a mutation that needs no key gets the same answer. */
const series = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };
let gateway: GatewayProcess;
let client: Client;

beforeAll(async () => {
  gateway = await startGatewayWithStores();
  client = createClient({ url: gateway.url });
});

afterAll(async () => {
  await client?.close();
  await gateway?.[Symbol.asyncDispose]();
});

/** Makes the call twice, expects equal answers and returns one. */
async function twice<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const answer = await call();
  expect(await call()).toEqual(answer);
  return answer;
}

async function offer() {
  const { id: tripId, offerEpoch } = await client.requestTrip({ input: {} });
  return { tripId, offerEpoch };
}

async function reserve(): Promise<string> {
  const reserved = await client.reserveDocumentNumber({ input: series });
  if (reserved.__typename !== 'DocumentNumberReservation') throw new Error(reserved.message);
  return reserved.token;
}

test('a driver accepts, starts and completes a trip', async () => {
  const input = await offer();
  const { tripId } = input;
  expect((await twice(() => client.acceptTrip({ input }))).__typename).toBe('TripAccepted');
  expect((await twice(() => client.reportArrival({ input: { tripId } }))).__typename).toBe('DriverArrived');
  expect((await twice(() => client.startTrip({ input: { tripId } }))).__typename).toBe('TripStarted');
  expect((await twice(() => client.completeTrip({ input: { tripId } }))).__typename).toBe('TripCompleted');
  expect(await client.tripHistory({ tripId })).toHaveLength(5);
});

test('a rider requests a trip by an ID of their own', async () => {
  const { ids } = await client.generateTsids({ count: 1 });
  const input = { tripId: ids[0] ?? null };
  expect((await twice(() => client.requestTrip({ input }))).id).toBe(input.tripId);
});

test('a driver reports a position', async () => {
  const input = { latitude: 13.7, longitude: 100.5 };
  expect((await twice(() => client.updateDriverPosition({ input }))).countsForMs).toBeGreaterThan(0);
});

test('a driver rejects an offer', async () => {
  const input = await offer();
  expect((await twice(() => client.rejectTrip({ input }))).__typename).toBe('TripRejected');
});

test('a rider cancels a trip, and a driver leaves one', async () => {
  const { tripId } = await offer();
  const asRider = { input: { tripId, as: 'RIDER' } } as const;
  expect((await twice(() => client.cancelTrip(asRider))).__typename).toBe('TripCancelled');
  const second = await offer();
  await client.acceptTrip({ input: second });
  const asDriver = { input: { tripId: second.tripId, as: 'DRIVER' } } as const;
  expect((await twice(() => client.cancelTrip(asDriver))).__typename).toBe('TripRedispatched');
  expect((await client.trip({ id: second.tripId }))?.offerEpoch).toBe(2);
});

test('a reservation is confirmed, or cancelled', async () => {
  const confirmed = await reserve();
  const { status } = await twice(() => client.confirmDocumentNumber({ input: { token: confirmed } }));
  expect(status).toBe('ISSUED');
  const input = { token: await reserve(), reason: 'not needed' };
  expect((await twice(() => client.cancelDocumentNumber({ input }))).status).toBe('CANCELLED');
});

test('a series is blocked and opened, and a format is withdrawn', async () => {
  const rfas = { projectCode: 'DEMO', typeCode: 'RFA' };
  const blocked = { ...rfas, reason: 'replaced' };
  expect((await twice(() => client.blockDocumentSeries({ input: blocked }))).blockedReason).toBe('replaced');
  expect((await twice(() => client.unblockDocumentSeries({ input: rfas }))).blockedReason).toBeNull();
  const template = 'X-{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}';
  const { version } = await client.saveDocumentNumberFormat({ input: { ...rfas, template } });
  const withdrawn = await twice(() => client.withdrawDocumentNumberFormat({ input: { ...rfas, version } }));
  expect(withdrawn.__typename).toBe('DocumentNumberFormatWithdrawn');
});

test('a number is voided', async () => {
  const issued = await client.issueDocumentNumber({ input: series });
  const number = issued.__typename === 'DocumentNumber' ? issued.number : '';
  const input = { projectCode: 'DEMO', number, reason: 'a mistake' };
  expect((await twice(() => client.voidDocumentNumber({ input }))).status).toBe('VOID');
});
