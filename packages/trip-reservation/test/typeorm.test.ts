import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { DataSource, type EntitySchema } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { createTripReservation, type TripReservation } from '../src/index.js';
import {
  DriverActiveEntity,
  TripAttemptEntity,
  TripEntity,
  TripOutboxEntity,
  tripMigrations,
} from '../src/typeorm/index.js';

const entities: EntitySchema[] = [TripEntity, DriverActiveEntity, TripOutboxEntity, TripAttemptEntity];

let database: TestDatabase;
let dataSource: DataSource;
let trips: TripReservation;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: [] });
  dataSource = await new DataSource({
    type: 'postgres',
    url: database.url,
    entities,
    migrations: [...tripMigrations],
  }).initialize();
  await dataSource.runMigrations();
  if (!(dataSource.driver instanceof PostgresDriver)) throw new TypeError('not PostgreSQL');
  trips = createTripReservation({ database: dataSource.driver.master });
});

afterAll(async () => {
  await trips.close();
  await dataSource.destroy();
  await database.drop();
});

describe('the TypeORM integration', () => {
  test('creates the tables once and refuses to drop reservations', async () => {
    expect(await dataSource.runMigrations()).toEqual([]);
    await expect(dataSource.undoLastMigration()).rejects.toThrow(/by hand/);
  });

  test('reads what the reservation wrote', async () => {
    await trips.requestTrip({
      tripId: 1n,
      riderId: 2n,
      pickup: { latitude: 1, longitude: 2 },
      offeredTo: [3n],
    });
    await trips.acceptTrip({ tripId: 1n, driverId: 3n, offerEpoch: 1 });
    expect(await dataSource.getRepository(TripEntity).findOneByOrFail({ id: '1' })).toMatchObject({
      riderId: '2',
      status: 'ACCEPTED',
      driverId: '3',
      offeredDriverIds: ['3'],
      pickup: { latitude: 1, longitude: 2 },
    });
    expect(
      await dataSource.getRepository(DriverActiveEntity).findOneByOrFail({ driverId: '3' }),
    ).toMatchObject({
      tripId: '1',
    });
    const events = await dataSource.getRepository(TripOutboxEntity).find({ order: { revision: 'ASC' } });
    expect(events.map(({ type }) => type)).toEqual(['TRIP_REQUESTED', 'TRIP_ACCEPTED']);
  });

  test('knows every column of every table, and its type', async () => {
    for (const entity of entities) {
      const metadata = dataSource.getMetadata(entity);
      const columns: { name: string; type: string; nullable: boolean }[] = await dataSource.query(
        `SELECT attname AS name, format_type(coalesce(nullif(typbasetype, 0), atttypid), atttypmod) AS type,
           NOT attnotnull AS nullable
         FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
        [metadata.tableName],
      );
      const mapped = metadata.columns.map((column) => ({
        name: column.databaseName,
        type:
          column.type === 'timestamptz'
            ? `timestamp(${column.precision}) with time zone`
            : `${column.type}${column.isArray ? '[]' : ''}`,
        nullable: column.isNullable,
      }));
      expect(mapped).toEqual(columns);
    }
  });

  test("makes a trip part of the caller's transaction: no commit, no trip", async () => {
    const request = (tripId: bigint) =>
      dataSource.transaction(async (manager) => {
        await trips.requestTrip({ tripId, riderId: 2n, session: manager });
        if (tripId === 11n) throw new Error('the rest of the transaction failed');
      });
    await request(10n);
    await expect(request(11n)).rejects.toThrow('the rest');
    const [kept, lost] = await trips.findTrips([10n, 11n]);
    expect(kept?.status).toBe('FINDING');
    expect(lost).toBeUndefined();
  });

  test('outside a transaction, nothing is created', async () => {
    for (const session of [dataSource.manager, dataSource.createQueryRunner()]) {
      const refused = trips.requestTrip({ tripId: 12n, riderId: 2n, session });
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'session' });
    }
    expect(await trips.findTrip(12n)).toBeUndefined();
  });
});
