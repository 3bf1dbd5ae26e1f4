import { describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { DataSource } from 'typeorm';
import { createTripReservation, migrateTrips, migrations } from '../src/index.js';
import { tripMigrations } from '../src/typeorm/index.js';

const names = migrations.map(({ name }) => name);

/** How tables can be made without `migrateTrips`. */
const OTHER_WAYS: Readonly<Record<string, (database: TestDatabase) => Promise<unknown>>> = {
  "by TypeORM's migrations": async ({ url }) => {
    const dataSource = await new DataSource({
      type: 'postgres',
      url,
      migrations: [...tripMigrations],
    }).initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
  },
  'by running the texts': async ({ pool }) => {
    for (const { sql } of migrations) await pool.query(sql);
  },
};

const TRIP = `
  INSERT INTO trips (id, rider_id, status, epoch, revision, driver_id, offer_ttl_ms, offer_rounds_left, offer_expires_at,
                     requested_at, accepted_at)
  VALUES (1, 7, 'ACCEPTED', 1, 2, 8, 15000, 1, now(), now(), now())`;

describe('migrateTrips', () => {
  test('creates the tables once, however many processes start concurrently', async () => {
    await using database = await createTestDatabase({ migrations: [] });
    const reports = await Promise.all(Array.from({ length: 4 }, () => migrateTrips(database.pool)));
    expect(reports.flatMap(({ applied }) => applied)).toEqual(names);
    expect(await migrateTrips(database.pool)).toEqual({ applied: [], takenOver: [] });
  });

  test.each(Object.entries(OTHER_WAYS))(
    'takes over tables that were created %s, with data',
    async (_way, make) => {
      await using database = await createTestDatabase({ migrations: [] });
      await make(database);
      await database.pool.query(`${TRIP}; INSERT INTO driver_active (driver_id, trip_id) VALUES (8, 1)`);
      expect(await migrateTrips(database.pool)).toEqual({ takenOver: names, applied: [] });
      await using trips = createTripReservation({ database: database.pool });
      expect(await trips.acceptTrip({ tripId: 1n, driverId: 8n, offerEpoch: 1 })).toMatchObject({
        kind: 'ACCEPTED',
      });
      expect(await trips.startTrip({ tripId: 1n, driverId: 8n })).toMatchObject({ kind: 'STARTED' });
      expect(await migrateTrips(database.pool)).toEqual({ applied: [], takenOver: [] });
    },
  );

  test('only reports in a dry run', async () => {
    await using database = await createTestDatabase({ migrations: [] });
    expect(await migrateTrips(database.pool, { isDryRun: true })).toEqual({ applied: names, takenOver: [] });
    expect(await migrateTrips(database.pool)).toEqual({ applied: names, takenOver: [] });
  });
});
