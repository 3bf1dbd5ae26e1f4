import { findDuplicates } from '@solegate/testkit';
import { answered, type History, precedes } from './history.js';
import { tripsById } from './offers.js';
import { rule } from './rule.js';

export const RIDE_RULES = {
  'a lost trip': rule('A trip that was requested is stored.', function* (history) {
    const trips = tripsById(history);
    for (const { answer } of answered(history, 'request')) {
      if (!trips.has(answer.tripId)) yield answer.tripId;
    }
  }),

  'one request, two trips': rule(
    'A repeated request returns the trip that the first one created.',
    function* (history) {
      const requests = answered(history, 'request').map(({ riderId, key, answer }) => ({
        riderId,
        key,
        tripId: answer.tripId,
      }));
      const tripOf = new Map<string, string>();
      for (const { riderId, key, tripId } of [...requests, ...history.trips]) {
        if (key === null) continue;
        const earlier = tripOf.get(`${riderId} ${key}`) ?? tripId;
        tripOf.set(`${riderId} ${key}`, tripId);
        if (earlier !== tripId) yield `rider ${riderId}, ${key}: ${earlier}, ${tripId}`;
      }
    },
  ),

  'a request that started over': rule(
    'A repeated request returns the trip in its current state.',
    function* (history) {
      const latest = new Map<string, { atMs: number; tookMs: number; revision: number }>();
      for (const { atMs, tookMs, answer } of answered(history, 'request')) {
        const { tripId, revision } = answer;
        const earlier = latest.get(tripId);
        if (earlier !== undefined && precedes(earlier, { atMs }) && revision < earlier.revision) {
          yield `${tripId}: revision ${earlier.revision}, then ${revision}`;
        }
        latest.set(tripId, { atMs, tookMs, revision });
      }
    },
  ),

  'a start that was forgotten': rule(
    'A trip that was reported as started is under way or over.',
    function* (history) {
      const trips = tripsById(history);
      for (const { tripId, answer } of answered(history, 'ride')) {
        const trip = trips.get(tripId);
        if (answer.kind !== 'TripStarted' || trip?.epoch !== answer.epoch) continue;
        if (!['IN_PROGRESS', 'COMPLETED', 'CANCELLED'].includes(trip?.status ?? '')) {
          yield `${tripId}: ${trip?.status}`;
        }
      }
    },
  ),

  'a completion that was forgotten': rule('A trip that was reported as completed is completed.', (history) =>
    otherStatus(history, 'TripCompleted', 'COMPLETED'),
  ),

  'a cancellation that was forgotten': rule(
    'A trip that was reported as cancelled is cancelled.',
    (history) => otherStatus(history, 'TripCancelled', 'CANCELLED'),
  ),

  'a driver who left and is not excluded': rule('A trip records who left it.', function* (history) {
    const trips = tripsById(history);
    for (const { tripId, userId, answer } of answered(history, 'ride')) {
      const trip = trips.get(tripId);
      if (answer.kind === 'TripRedispatched' && trip !== undefined && !trip.excluded.includes(userId)) {
        yield `${tripId}: ${userId}`;
      }
    }
  }),

  'a driver back on a trip they left': rule(
    'A driver who left a trip never has it again.',
    function* ({ trips }) {
      for (const { tripId, driverId, excluded } of trips) {
        if (driverId !== null && excluded.includes(driverId)) yield `${tripId}: ${driverId}`;
      }
    },
  ),

  /** EXPIRED is left out: an offer can be over before its trip is. */
  'a trip that is not over': rule('NOT_OPEN names the status of the trip.', function* (history) {
    const trips = tripsById(history);
    for (const { tripId, answer } of [...answered(history, 'accept'), ...answered(history, 'ride')]) {
      const { kind, status = '' } = answer;
      const stored = trips.get(tripId)?.status ?? status;
      if (kind === 'TripNotOpen' && ['COMPLETED', 'CANCELLED'].includes(status) && stored !== status) {
        yield `${tripId}: reported as ${status}, stored as ${stored}`;
      }
    }
  }),

  /** A driver can have a trip in each cell. */
  'a driver on two trips': rule('One active trip per driver.', function* (history) {
    const trips = tripsById(history);
    const inCell = (driverId: string, cell = 0) => `${driverId} in cell ${cell}`;
    const busy = history.trips.flatMap(({ status, driverId, cell }) =>
      HAS_DRIVER.has(status) && driverId ? [inCell(driverId, cell)] : [],
    );
    const reserved = history.active.map(({ driverId, tripId }) => inCell(driverId, trips.get(tripId)?.cell));
    for (const drivers of [busy, reserved]) {
      const clash = findDuplicates(drivers);
      if (clash !== undefined) {
        yield clash.later;
        return;
      }
    }
  }),

  'a reservation that disagrees with its trip': rule(
    'The statement that moves a trip also reserves or frees its driver.',
    function* (history) {
      const trips = tripsById(history);
      const reserved = new Map(history.active.map(({ tripId, driverId }) => [tripId, driverId]));
      for (const { tripId, driverId } of history.active) {
        const trip = trips.get(tripId);
        if (trip?.driverId !== driverId || !HAS_DRIVER.has(trip.status)) {
          yield `${driverId} is reserved for ${tripId}, which is ${trip?.status}, of ${trip?.driverId}`;
        }
      }
      for (const { tripId, status, driverId } of history.trips) {
        if (HAS_DRIVER.has(status) && !reserved.has(tripId))
          yield `${tripId} is ${status}, ${driverId} is free`;
      }
    },
  ),
};

const HAS_DRIVER = new Set(['ACCEPTED', 'IN_PROGRESS']);
export const IS_OVER = new Set(['COMPLETED', 'CANCELLED', 'EXPIRED']);

function* otherStatus(history: History, kind: string, status: string): Iterable<string> {
  const trips = tripsById(history);
  for (const { tripId, answer } of answered(history, 'ride')) {
    const stored = trips.get(tripId)?.status ?? status;
    if (answer.kind === kind && stored !== status) yield `${tripId}: ${stored}`;
  }
}
