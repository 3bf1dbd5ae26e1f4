/**
 * Prints what each call that takes a session means in a transaction of each library in the arguments, as JSON: whether it
 * was committed or rolled back with it, and the code and `retryable` of each failure; the same of a writer that uses the
 * library's connections.
 *
 * Usage: DATABASE_URL=postgres://… node meanings.mjs kysely knex
 */
import { createNumbering, migrateNumbering } from '@solegate/doc-numbering';
import { createTripReservation, migrateTrips } from '@solegate/trip-reservation';
import pg from 'pg';
import { LIBRARIES } from './libraries.mjs';

// Knex says on standard output that a connection was lost.
const print = console.log;
console.log = console.error;

const url = process.env.DATABASE_URL;
// Calls of all libraries run at once, and some hold a lock meanwhile.
const pool = new pg.Pool({ connectionString: url, max: 30 });
pool.on('error', () => undefined);
await migrateNumbering(pool);
await migrateTrips(pool);
await pool.query('CREATE TABLE letter (id bigint PRIMARY KEY, number text)');
const open = (requestTimeoutMs) => ({
  numbering: createNumbering({ database: pool, requestTimeoutMs }),
  trips: createTripReservation({ database: pool, requestTimeoutMs }),
});
const patient = open(30_000);
/** For what fails at the end of it. A tenth of it is left for the reply of a busy machine. */
const BRIEF_MS = 4_000;
const impatient = open(BRIEF_MS);
const { numbering, trips } = patient;
const series = { space: 'office', series: 'LETTER', actor: 'test' };
await numbering.defineSeries({ ...series, timeZone: 'UTC', dimensions: ['ORG'] });
await numbering.saveFormat({ ...series, template: '{ORG}-{TYPE}-{YEAR}-{SEQ:4}' });

let lastId = 0;
const newId = () => {
  lastId += 1;
  return BigInt(lastId);
};

/** Locks a counter, for as long as the transaction lasts. */
const COUNTER = 'SELECT FROM document_number_counters WHERE dimensions LIKE $1 FOR UPDATE';

/** Each call by name: `make` runs it, `blocking` holds what it needs, `rival` takes it, `isKept` looks for its change. */
const CALLS = {
  issueIn: ofNumbers((own, session, request) => own.issueIn(session, request)),
  'issueIn with a key': ofNumbers((own, session, request) =>
    own.issueIn(session, { ...request, key: `key ${request.id}`, reason: 'a "reason", \\' }),
  ),
  issueAllIn: ofNumbers(async (own, session, request) => {
    const other = { ...request, dimensions: { ORG: `${request.dimensions.ORG}B` }, id: undefined };
    return (await own.issueAllIn(session, [request, other]))[0];
  }),
  requestTrip: ofTrips(),
  'requestTrip for drivers': ofTrips({
    offeredTo: [501n, 502n],
    idempotencyKey: 'a key',
    pickup: { latitude: 13.75, longitude: 100.5 },
    offerTtlMs: 9000,
  }),
};

function ofNumbers(issue) {
  return (name) => {
    const org = `${name}${newId()}`.replaceAll(/[^A-Za-z0-9]/g, '').slice(-18);
    const request = (id) => ({ ...series, dimensions: { ORG: org }, id });
    return {
      prepare: async () => void (await numbering.issue(request())),
      make: async (session, id, own = patient) => ({
        sequence: (await issue(own.numbering, session, request(id))).sequence,
      }),
      blocking: (client) => client.query(COUNTER, [`%${org}"%`]),
      rival: (id) => numbering.issue(request(id)),
      isKept: async (id) => (await numbering.findNumber({ id })) !== undefined,
    };
  };
}

function ofTrips(details) {
  return () => ({
    prepare: async () => undefined,
    make: async (session, tripId, own = patient) => {
      const trip = await own.trips.requestTrip({ ...details, tripId, riderId: tripId, session });
      const times = [trip.requestedAt, trip.offerExpiresAt].map((time) => time instanceof Date);
      const { status, offeredTo, pickup } = trip;
      return { isSame: trip.id === tripId, status, offeredTo: String(offeredTo), pickup, times };
    },
    blocking: (client, id) =>
      client.query(
        `INSERT INTO trips (id, rider_id, status, epoch, revision, offer_ttl_ms, offer_rounds_left, offer_expires_at,
           requested_at) VALUES ($1, 999999, 'FINDING', 1, 1, 1000, 1, now(), now())`,
        [id],
      ),
    rival: (tripId) => trips.requestTrip({ tripId, riderId: 999_999n + tripId }),
    isKept: async (tripId) => (await trips.findTrip(tripId)) !== undefined,
  });
}

/** The result of a promise, or the facts of its error that a caller decides by. */
async function outcomeOf(promise) {
  try {
    return await promise;
  } catch (error) {
    const { code, retryable, message } = error;
    return code === undefined ? { message } : { code, retryable };
  }
}

async function meaningsOf({ transact, run }, name, makeCall) {
  const call = makeCall(name);
  await call.prepare();
  const meanings = {};
  const make = (id, own) => transact((session) => call.make(session, id, own));

  const kept = newId();
  const made = await outcomeOf(
    transact(async (session) => {
      const result = await call.make(session, kept);
      await run(session, `INSERT INTO letter VALUES (${kept})`);
      return result;
    }),
  );
  const letters = await pool.query('SELECT FROM letter WHERE id = $1', [kept]);
  meanings.commit = { made, isKept: await call.isKept(kept), letterCount: letters.rowCount };

  const lost = newId();
  const failing = transact(async (session) => {
    await call.make(session, lost);
    throw new Error('the app changes its mind');
  });
  meanings.rollback = { error: await outcomeOf(failing), isKept: await call.isKept(lost) };

  const holder = await pool.connect();
  await holder.query('BEGIN');
  const waiting = newId();
  await call.blocking(holder, waiting);
  meanings.lockTimeout = await outcomeOf(make(waiting, impatient));
  await holder.query('ROLLBACK');
  holder.release();

  const taken = newId();
  await call.rival(taken);
  meanings.duplicate = await outcomeOf(make(taken));

  const late = newId();
  const stale = transact(async (session) => {
    await run(session, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await run(session, 'SELECT count(*) FROM letter');
    await call.rival(late);
    return call.make(session, late);
  });
  meanings.serializationFailure = await outcomeOf(stale);
  return meanings;
}

/** Fifty transactions at once on one counter: the numbers of those that succeed, and of those that roll back, are gapless. */
async function crowd({ transact }) {
  const request = { ...series, dimensions: { ORG: `CROWD${newId()}` } };
  const issued = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      outcomeOf(
        transact(async (session) => {
          const { sequence } = await numbering.issueIn(session, request);
          if (index % 5 === 0) throw new Error('the app changes its mind');
          return sequence;
        }),
      ),
    ),
  );
  const sequences = issued.filter((one) => typeof one === 'number').sort((a, b) => a - b);
  return { count: sequences.length, isGapless: sequences.every((sequence, index) => sequence === index + 1) };
}

/** Numbers, and documents of a writer with their numbers, through the connections of a library. */
async function ofDatabase(database) {
  if (!database) return 'none';
  const own = createNumbering({ database, requestTimeoutMs: 30_000, writerTimeoutMs: 30_000 });
  // One each, so that neither of two failures that take all of their time delays the other.
  const [conflicting, waiting] = [1, 2].map(() => createNumbering({ database, requestTimeoutMs: BRIEF_MS }));
  const org = `DB${newId()}`;
  const request = { ...series, dimensions: { ORG: org } };
  const other = { ...series, dimensions: { ORG: `${org}OTHER` } };
  const ids = [];
  const writerOf = (owner) =>
    owner.registerWriter('letters', async (session, items) => {
      for (const { document, issued } of items) {
        await session.query('INSERT INTO letter VALUES ($1, $2)', [document.id, issued.number]);
        if (document.statement) await session.query(document.statement);
        if (document.reason) throw new Error(document.reason);
      }
    });
  const writer = writerOf(own);
  const write = async (document = {}, by = writer, wanted = request) => {
    const id = document.id ?? newId();
    ids.push(String(id));
    return outcomeOf(by.issue(wanted, { ...document, id }).then(({ sequence }) => ({ sequence })));
  };
  const found = { alone: (await own.issue(request)).sequence, commit: await write() };
  found.rollback = await write({ reason: 'the app refuses this letter' });
  found.duplicate = await write({ id: BigInt(ids[0]) });
  // Repeated for as long as the request may take: the last attempt meets the conflict (BUSY), or has no time left for
  // a connection (STORE_UNAVAILABLE).
  const conflict = `DO $$ BEGIN RAISE EXCEPTION 'a conflict' USING ERRCODE = '40001'; END $$`;
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query(COUNTER, [`%${org}"%`]);
  const [{ retryable }, lockTimeout] = await Promise.all([
    write({ statement: conflict }, writerOf(conflicting), other),
    write({}, writerOf(waiting)),
  ]);
  Object.assign(found, { serializationFailure: { retryable }, lockTimeout });
  await holder.query('ROLLBACK');
  holder.release();
  found.next = (await own.issue(request)).sequence;
  found.nextAfterConflict = (await own.issue(other)).sequence;
  found.letterCount = (await pool.query('SELECT FROM letter WHERE id = ANY ($1)', [ids])).rowCount;
  await Promise.all([own, conflicting, waiting].map((one) => one.close()));
  return found;
}

/** All that `each` finds at once, by the names of `things`. */
async function byName(things, each) {
  const found = Object.entries(things).map(async ([name, thing]) => [name, await each(name, thing)]);
  return Object.fromEntries(await Promise.all(found));
}

const chosen = Object.fromEntries(process.argv.slice(2).map((library) => [library, LIBRARIES[library]]));
const meanings = await byName(chosen, async (library, openLibrary) => {
  const opened = await openLibrary(url);
  const crowded = await crowd(opened);
  // At once, because most of both is waiting for what fails at the end of its time.
  const [calls, ofPool] = await Promise.all([
    byName(CALLS, (name, makeCall) => meaningsOf(opened, library + name, makeCall)),
    ofDatabase(opened.database),
  ]);
  await opened.close();
  return { calls, crowd: crowded, database: ofPool };
});
await Promise.all([patient, impatient].flatMap((own) => [own.numbering.close(), own.trips.close()]));
await pool.end();
print(JSON.stringify(meanings));
