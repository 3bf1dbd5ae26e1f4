/**
 * An application module, before bundling. `wholeUse` creates the tables, issues two numbers, lets three drivers accept
 * a trip and mints an ID on a leased node, using the stores in `DATABASE_URL` and `REDIS_URL`.
 */
export const WHOLE_USE = `
import { createNumbering, migrateNumbering } from '@solegate/doc-numbering';
import { connectRedis } from '@solegate/redis-infra';
import { createTripReservation, migrateTrips } from '@solegate/trip-reservation';
import { createTsidGenerator } from '@solegate/tsid-core';
import { leaseNode } from '@solegate/tsid-core/node-lease';
import pg from 'pg';

export async function wholeUse() {
  const database = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  await migrateNumbering(database);
  await migrateTrips(database);
  const url = process.env.REDIS_URL;
  const decision = connectRedis({ url, purpose: 'decision', commandTimeoutMs: 5000 });
  const background = connectRedis({ url, purpose: 'background' });
  if (decision.status !== 'ready') await new Promise((resolve) => decision.once('ready', resolve));

  const numbering = createNumbering({ database, redis: decision });
  const letter = { space: 'office', series: 'letter', actor: 'ann' };
  await numbering.defineSeries({ ...letter, timeZone: 'UTC' });
  await numbering.saveFormat({ ...letter, template: '{YEAR}-{SEQ:4}' });
  const numbers = [];
  for (let count = 0; count < 2; count += 1) numbers.push(await numbering.issue(letter));

  const trips = createTripReservation({ database, redis: decision });
  const { epoch } = await trips.requestTrip({ tripId: 1n, riderId: 7n });
  const accept = (driverId) => trips.acceptTrip({ tripId: 1n, driverId, offerEpoch: epoch });
  const outcomes = await Promise.all([accept(501n), accept(502n), accept(503n)]);

  const lease = await leaseNode({ redis: background, holder: 'bundle', trustEmptyStore: true });
  const id = createTsidGenerator({ lease }).next();
  await lease.release();
  await Promise.all([trips.close(), numbering.close()]);
  const mark = await highestMark(background);
  for (const redis of [decision, background]) redis.disconnect();
  await database.end();
  return {
    endings: numbers.map(({ number }) => number.slice(-4)),
    mark,
    outcomes: outcomes.map(({ kind }) => kind).sort(),
    isMinted: id > 0n,
  };
}

/** The counter's mark in Redis, which is written a moment after the commit. */
async function highestMark(redis) {
  for (let tries = 0; tries < 200; tries += 1) {
    for (const key of await redis.keys('*')) {
      const last = await redis.hget(key, 'last').catch(() => null);
      if (last === '2') return last;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
`;

/** The result of `wholeUse` if every SQL and Lua text is correct. */
export const WHOLE_USE_FACTS = {
  endings: ['0001', '0002'],
  mark: '2',
  outcomes: ['ACCEPTED', 'TAKEN', 'TAKEN'],
  isMinted: true,
};
