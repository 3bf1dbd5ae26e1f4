import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { DataSource } from 'typeorm';
import { createTripReservation, migrateTrips, migrations } from '../src/index.js';
import { tripMigrations } from '../src/typeorm/index.js';

// People's databases were made by exactly these texts: what changes a table is a further migration.
test('a migration that was published never changes', () => {
  const hashes = migrations.map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex')]);
  expect(hashes).toEqual([
    ['0001-trips', '2febf244dcfc474e0045f86a2786b31791db6bd7983fcdc028edd6a2c2608714'],
    ['0002-trip-outbox', 'd79b656007ea98e3efb9de43f3bb7c6597142b306e57226de49ebe1509ac5079'],
    ['0003-trip-attempts', 'cf87dc73329f71a86cc3a9a1c56b8447dd8848c5c65855f76e7b4ff5b1d1cfe5'],
    ['0004-retention', '4fa93541e22b4cb46c51074841fe2f79b6a6d8a597423a6e4328b30aab892784'],
    ['0005-nearest', '17ff6d6e941ac1f956c6b280fc258e08a9fec70a24ba12376b25bb7441d03e61'],
    ['0006-arrivals', '5bb39c63f20cd1e23e5c26fe491904b1aa2c6403584db12026cbd0921b1cad87'],
  ]);
});

/** The versions that databases may have whose tables were made without a record of versions. */
const UNRECORDED = ['0001-trips', '0002-trip-outbox', '0003-trip-attempts', '0004-retention'];
const names = migrations.map(({ name }) => name);

/** How tables were made before `migrateTrips`. */
const EARLIER_WAYS: Readonly<Record<string, (database: TestDatabase) => Promise<unknown>>> = {
  "by TypeORM's migrations": async ({ url }) => {
    const dataSource = await new DataSource({
      type: 'postgres',
      url,
      migrations: tripMigrations.slice(0, UNRECORDED.length),
    }).initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
  },
  'by running the texts': async ({ pool }) => {
    for (const { sql } of migrations.slice(0, UNRECORDED.length)) await pool.query(sql);
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

  test.each(Object.entries(EARLIER_WAYS))(
    'takes over tables that were created %s, with data',
    async (_way, make) => {
      await using database = await createTestDatabase({ migrations: [] });
      await make(database);
      await database.pool.query(`${TRIP}; INSERT INTO driver_active (driver_id, trip_id) VALUES (8, 1)`);
      expect(await migrateTrips(database.pool)).toEqual({
        takenOver: UNRECORDED,
        applied: names.slice(UNRECORDED.length),
      });
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
