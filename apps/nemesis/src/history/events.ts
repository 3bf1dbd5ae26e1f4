import { findDuplicates, findGap } from '@solegate/testkit';
import { answered, grouped, type History, type StoredEvent } from './history.js';
import { tripsById } from './offers.js';
import { IS_OVER } from './rides.js';
import { rule } from './rule.js';

export const EVENT_RULES = {
  'a change without its event': rule(
    'The statement that makes a change also writes its event.',
    function* (history) {
      const byTrip = eventsByTrip(history);
      for (const { tripId, revision } of history.trips) {
        const stored = byTrip.get(tripId) ?? [];
        const gap = findGap([...stored.map((event) => event.revision), revision + 1]);
        if (gap !== undefined) yield `${tripId}: revision ${gap.missing} of ${revision}`;
      }
    },
  ),

  'an event that contradicts its trip': rule('An event states what was decided.', function* (history) {
    const byTrip = eventsByTrip(history);
    for (const trip of history.trips) {
      for (const { revision, type, status, epoch, driverId } of byTrip.get(trip.tripId) ?? []) {
        const isOther = revision === trip.revision && (status !== trip.status || epoch !== trip.epoch);
        const isCurrent = type === 'TRIP_ACCEPTED' && epoch === trip.epoch;
        if (isOther || (isCurrent && driverId !== trip.driverId)) {
          yield `${trip.tripId}, revision ${revision}: ${type}, ${status}, driver ${driverId}; the trip: ${trip.status}, driver ${trip.driverId}`;
        }
      }
    }
  }),

  'an event that was not published': rule(
    'Whatever fails, another process publishes the event.',
    function* ({ events }) {
      for (const { tripId, revision, isPublished } of events) {
        if (!isPublished) yield `${tripId}, revision ${revision}`;
      }
    },
  ),

  'a gap in a subscription': rule(
    'A subscriber of a trip receives each change once and in order.',
    function* ({ streams }) {
      for (const { tripId, events } of streams.updates) {
        const wrong = events.find(({ revision }, index) => revision !== index + 1);
        if (wrong !== undefined)
          yield `${tripId}: revision ${wrong.revision} as number ${events.indexOf(wrong) + 1}`;
      }
    },
  ),

  'a subscription without its end': rule(
    'A subscriber of a trip receives every change until the trip ends.',
    function* (history) {
      const trips = tripsById(history);
      for (const { tripId, events } of history.streams.updates) {
        const trip = trips.get(tripId);
        const last = events.at(-1)?.revision ?? 0;
        if (trip !== undefined && IS_OVER.has(trip.status) && last < trip.revision) {
          yield `${tripId}: ${last} of ${trip.revision} revisions`;
        }
      }
    },
  ),

  'an update that was not decided': rule('A subscriber receives what is stored.', function* (history) {
    const byTrip = eventsByTrip(history);
    for (const { tripId, events } of history.streams.updates) {
      for (const { revision, type, status, epoch } of events) {
        const stored = byTrip.get(tripId)?.find((event) => event.revision === revision);
        const isSame = stored?.type === type && stored.status === status && stored.epoch === epoch;
        if (stored !== undefined && !isSame)
          yield `${tripId}, revision ${revision}: ${type}, stored ${stored.type}`;
      }
    }
  }),

  'an offer that no driver received': rule(
    'Drivers who are connected receive each offer.',
    function* (history) {
      const heard = new Set(history.streams.offers);
      for (const { atMs, answer } of answered(history, 'request')) {
        if (atMs >= history.calmFromMs && !heard.has(answer.tripId)) yield answer.tripId;
      }
    },
  ),

  'a number that no clerk received': rule(
    'Clerks who are connected receive each number as it is issued.',
    function* (history) {
      const heard = new Set(history.streams.numbers);
      for (const { atMs, way, answer } of answered(history, 'numbers')) {
        const [issued] = answer;
        if (way !== 'issue' || atMs < history.calmFromMs || issued === undefined) continue;
        if (!heard.has(issued.number)) yield issued.number;
      }
    },
  ),

  'a number received twice': rule('A clerk receives each number at most once.', function* ({ streams }) {
    const clash = findDuplicates(streams.numbers);
    if (clash !== undefined) yield clash.later;
  }),

  'a number received but not issued': rule(
    'A number is published after it is committed.',
    function* ({ streams, ledger }) {
      const stored = new Set(ledger.map(({ number }) => number));
      for (const number of streams.numbers) if (!stored.has(number)) yield number;
    },
  ),
};

function eventsByTrip({ events }: History): Map<string, StoredEvent[]> {
  return grouped(events, ({ tripId }) => tripId);
}
