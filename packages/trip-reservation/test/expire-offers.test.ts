import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { race, until, valuesOf } from '@solegate/testkit';
import type { SweepReport } from '../src/index.js';
import { freshId, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const sum = (reports: readonly SweepReport[], part: keyof SweepReport) =>
  reports.reduce((total, report) => total + report[part], 0);

describe('expireOffers', () => {
  test('ends a trip that no driver accepted', async () => {
    const trips = stores.withoutRedis();
    const { id: tripId } = await stores.openTrip();
    expect(await trips.expireOffers()).toEqual({
      redispatchedCount: 0,
      expiredCount: 0,
      orphanCount: 0,
      openedCount: 0,
      widenedCount: 0,
    });
    await stores.letOfferRunOut(tripId);
    expect(await trips.expireOffers()).toEqual({
      redispatchedCount: 0,
      expiredCount: 1,
      orphanCount: 0,
      openedCount: 0,
      widenedCount: 0,
    });
    expect(await trips.findTrip(tripId)).toMatchObject({ status: 'EXPIRED', driverId: null });
    expect(await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toEqual({
      kind: 'NOT_OPEN',
      tripId,
      status: 'EXPIRED',
    });
    const [, expired] = await trips.tripHistory({ tripId });
    expect(expired).toMatchObject({ type: 'TRIP_EXPIRED', revision: 2, status: 'EXPIRED' });
  });

  test('offers it again in the next epoch while rounds are left', async () => {
    const trips = stores.withoutRedis({ offerRoundMax: 2 });
    const tripId = freshId();
    await trips.requestTrip({ tripId, riderId: tripId });
    await stores.letOfferRunOut(tripId);
    expect(await trips.expireOffers()).toMatchObject({ redispatchedCount: 1, expiredCount: 0 });
    const again = await trips.findTrip(tripId);
    expect(again).toMatchObject({ status: 'FINDING', epoch: 2, revision: 2 });
    expect(again?.offerExpiresAt.getTime()).toBeGreaterThan(Date.now());
    await stores.letOfferRunOut(tripId);
    expect(await trips.expireOffers()).toMatchObject({ redispatchedCount: 0, expiredCount: 1 });
  });

  test('removes a driver who did not start, and never one who did', async () => {
    const trips = stores.withoutRedis({ startTimeoutMs: 1 });
    const [idle, busy] = [await stores.openTrip(), await stores.openTrip()];
    const [idler, worker] = [freshId(), freshId()];
    await trips.acceptTrip({ tripId: busy.id, driverId: worker, offerEpoch: 1 });
    await trips.startTrip({ tripId: busy.id, driverId: worker });
    await trips.acceptTrip({ tripId: idle.id, driverId: idler, offerEpoch: 1 });
    const reports: SweepReport[] = [];
    await until(
      async () => reports.push(await trips.expireOffers()) && sum(reports, 'redispatchedCount') > 0,
    );
    expect(await trips.findTrip(idle.id)).toMatchObject({
      status: 'FINDING',
      epoch: 2,
      driverId: null,
      excludedDriverIds: [idler],
    });
    expect(await trips.findTrip(busy.id)).toMatchObject({ status: 'IN_PROGRESS', driverId: worker });
    const { id: next } = await stores.openTrip();
    expect(await trips.acceptTrip({ tripId: next, driverId: idler, offerEpoch: 1 })).toMatchObject({
      kind: 'ACCEPTED',
    });
  });

  test('frees drivers that a manual edit left on ended trips', async () => {
    const trips = stores.withoutRedis();
    const { id: tripId } = await stores.openTrip();
    const driverId = freshId();
    await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    await stores.database.pool.query(
      `UPDATE trips SET status = 'CANCELLED', ended_at = now() WHERE id = $1`,
      [String(tripId)],
    );
    expect(await trips.expireOffers()).toMatchObject({ orphanCount: 1, openedCount: 0, widenedCount: 0 });
    const { id: next } = await stores.openTrip();
    expect(await trips.acceptTrip({ tripId: next, driverId, offerEpoch: 1 })).toMatchObject({
      kind: 'ACCEPTED',
    });
  });

  test('run by many concurrently ends each trip once', async () => {
    const trips = stores.withoutRedis();
    const due = await Promise.all(Array.from({ length: 60 }, () => stores.openTrip()));
    await Promise.all(due.map(({ id }) => stores.letOfferRunOut(id)));
    const reports: SweepReport[] = [];
    while (sum(reports, 'expiredCount') < 60) {
      reports.push(...valuesOf(await race(4, () => trips.expireOffers({ batchMax: 10 }))));
    }
    expect(sum(reports, 'expiredCount')).toBe(60);
    for (const { id } of due) expect((await trips.tripHistory({ tripId: id })).length).toBe(2);
  });

  test('against accepts of the same offers: every trip is either accepted or expired, as answered', async () => {
    const trips = stores.withoutRedis();
    const offered = await Promise.all(Array.from({ length: 30 }, () => stores.openTrip({ offerTtlMs: 30 })));
    const answered = await Promise.all([
      ...offered.map(({ id }) => trips.acceptTrip({ tripId: id, driverId: freshId(), offerEpoch: 1 })),
      ...Array.from({ length: 5 }, () => trips.expireOffers()),
    ]);
    for (const [index, { id }] of offered.entries()) {
      const trip = await trips.findTrip(id);
      expect(answered[index]).toMatchObject(
        trip?.status === 'ACCEPTED' ? { kind: 'ACCEPTED', driverId: trip.driverId } : { kind: 'NOT_OPEN' },
      );
    }
  });
});

test('a sweeper sweeps by itself until it is stopped', async () => {
  const reports: SweepReport[] = [];
  const trips = stores.withoutRedis({ observer: { sweepEnded: (report) => reports.push(report) } });
  const { id: tripId } = await stores.openTrip();
  await stores.letOfferRunOut(tripId);
  const sweeper = trips.startSweeper({ intervalMs: 10 });
  await until(async () => (await trips.findTrip(tripId))?.status === 'EXPIRED');
  await sweeper.stop();
  await sweeper.stop();
  const count = reports.length;
  await trips.expireOffers();
  expect(reports.length).toBe(count);
});
