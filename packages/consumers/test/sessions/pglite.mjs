/**
 * Prints what calls mean in a transaction of PGlite, and of Drizzle over it, as JSON. It has one connection, so nothing can
 * hold a lock or conflict.
 */
import { PGlite } from '@electric-sql/pglite';
import { createNumbering, migrateNumbering } from '@solegate/doc-numbering';
import { createTripReservation, migrateTrips } from '@solegate/trip-reservation';
import { drizzle } from 'drizzle-orm/pglite';

const client = await PGlite.create();
await migrateNumbering(client);
await migrateTrips(client);

async function meaningsOf(database, tripId) {
  const numbering = createNumbering({ database, connectionMax: 1 });
  const trips = createTripReservation({ database, connectionMax: 1 });
  const letter = { space: 'office', series: `LETTER${tripId}`, actor: 'test' };
  await numbering.defineSeries({ ...letter, timeZone: 'UTC' });
  await numbering.saveFormat({ ...letter, template: '{TYPE}-{YEAR}-{SEQ:4}' });
  const request = { ...letter, id: tripId };
  const make = async (session) => {
    const { sequence } = await numbering.issueIn(session, request);
    const { status } = await trips.requestTrip({ tripId, riderId: tripId, session });
    return { sequence, status };
  };
  const rollback = await database
    .transaction(async (session) => {
      await make(session);
      throw new Error('the app changes its mind');
    })
    .catch(({ message }) => message);
  const isKept = (await trips.findTrip(tripId)) !== undefined;
  const commit = await database.transaction(make);
  const codeOf = (work) => database.transaction(work).catch(({ code }) => code);
  const duplicates = [
    await codeOf((session) => numbering.issueIn(session, request)),
    await codeOf((session) => trips.requestTrip({ tripId, riderId: 99n, session })),
  ];
  const next = (await numbering.issue(letter)).sequence;
  await Promise.all([numbering.close(), trips.close()]);
  return { rollback, isKept, commit, duplicates, next };
}

console.log(JSON.stringify([await meaningsOf(client, 1n), await meaningsOf(drizzle({ client }), 2n)]));
await client.close();
