import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequestError } from '../src/index.js';
import { CountingPool, freshId, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const HERE = { latitude: 52.5, longitude: 13.4 };

/** Every text input. */
const FIELDS = {
  idempotencyKey: (text: string) => ({ idempotencyKey: text }),
  'pickup.address': (text: string) => ({ pickup: { ...HERE, address: text } }),
  'dropoff.address': (text: string) => ({ dropoff: { ...HERE, address: text } }),
};

const UNSTORABLE = ['\0', 'before\0after', '\ud800', 'half \udc00 a pair', '\udc00\ud800'];

describe.each(Object.entries(FIELDS))('%s', (field, optionsWith) => {
  test('that PostgreSQL cannot store is rejected before anything is sent', async () => {
    const pool = new CountingPool(stores.database.directPool);
    const trips = stores.withoutRedis({ database: pool });
    for (const text of UNSTORABLE) {
      const refusal = trips.requestTrip({ tripId: freshId(), riderId: 1n, ...optionsWith(text) });
      await expect(refusal).rejects.toThrow(InvalidRequestError);
      await expect(refusal).rejects.toMatchObject({ code: 'INVALID_REQUEST', field });
    }
    expect(pool.names).toEqual([]);
  });

  test('of any other characters is accepted, and is the same for a repeat', async () => {
    const trips = stores.withoutRedis();
    const storable = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => text.length <= 200 && !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(storable, async (text) => {
        const request = { tripId: freshId(), riderId: freshId(), ...optionsWith(text) };
        const trip = await trips.requestTrip(request);
        expect(trip).toMatchObject(field === 'idempotencyKey' ? {} : optionsWith(text));
        expect(await trips.requestTrip(request)).toEqual(trip);
      }),
      { numRuns: 50 },
    );
  });
});

test('a place has no unknown fields, and its own are checked', async () => {
  const pickup = { ...HERE, note: 'ring\0twice' };
  await expect(
    stores.withoutRedis().requestTrip({ tripId: freshId(), riderId: 1n, pickup }),
  ).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'pickup.note' });
});
