import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freshId, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const row = {
  rider_id: '1',
  status: 'FINDING',
  epoch: 1,
  revision: 1,
  offer_ttl_ms: 60_000,
  offer_rounds_left: 1,
  offer_expires_at: new Date(),
  requested_at: new Date(),
};
const driven = { driver_id: '7', accepted_at: new Date() };
const started = { started_at: new Date() };
const ended = { ended_at: new Date() };

/** Writes a row directly. */
async function insertTrip(facts: Record<string, unknown>): Promise<void> {
  const columns: Record<string, unknown> = { id: String(freshId()), ...row, ...facts };
  const names = Object.keys(columns);
  await stores.database.pool.query(
    `INSERT INTO trips (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(columns),
  );
}

describe('PostgreSQL itself', () => {
  test.each([
    ['FINDING', {}],
    ['ACCEPTED', driven],
    ['IN_PROGRESS', { ...driven, ...started }],
    ['COMPLETED', { ...driven, ...started, ...ended }],
    ['CANCELLED', ended],
    ['CANCELLED', { ...driven, ...started, ...ended }],
    ['EXPIRED', ended],
  ])('accepts a trip that is %s', async (status, facts) => {
    await expect(insertTrip({ status, ...facts })).resolves.toBeUndefined();
  });

  test.each([
    ['offered and driven', { status: 'FINDING', ...driven }],
    ['offered and accepted by nobody', { status: 'FINDING', accepted_at: new Date() }],
    ['offered and over', { status: 'FINDING', ...ended }],
    ['accepted by nobody', { status: 'ACCEPTED', accepted_at: new Date() }],
    ['accepted at no time', { status: 'ACCEPTED', driver_id: '7' }],
    ['on the road without a start', { status: 'IN_PROGRESS', ...driven }],
    ['completed without a start', { status: 'COMPLETED', ...driven, ...ended }],
    ['completed without an end', { status: 'COMPLETED', ...driven, ...started }],
    ['cancelled without an end', { status: 'CANCELLED' }],
    ['expired and driven', { status: 'EXPIRED', ...driven, ...ended }],
    ['offered for less than no round', { offer_rounds_left: -1 }],
  ])('refuses a trip that is %s', async (_, facts) => {
    await expect(insertTrip(facts)).rejects.toMatchObject({
      code: '23514',
      constraint: 'trips_facts_fit_status',
    });
  });

  test.each([
    ['status', 'LOST', 'trip_status_check'],
    ['rider_id', '0', 'trip_identifier_check'],
    ['driver_id', '-7', 'trip_identifier_check'],
    ['epoch', 0, 'trip_positive_check'],
    ['revision', 0, 'trip_positive_check'],
    ['offer_ttl_ms', 0, 'trip_positive_check'],
    ['idempotency_key', '', 'trip_request_key_check'],
  ])('refuses a trip whose %s is %j', async (column, value, constraint) => {
    await expect(insertTrip({ [column]: value })).rejects.toMatchObject({ code: '23514', constraint });
  });
});
