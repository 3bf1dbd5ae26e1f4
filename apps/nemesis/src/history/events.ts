import { findDuplicates, findGap } from '@solegate/testkit';
import { answered, grouped, type History, type StoredEvent } from './history.js';
import { tripsById } from './offers.js';
import { IS_OVER } from './rides.js';
import type { Rules } from './rule.js';

export const EVENT_RULES = {
  'a change without its event': {
    promise: 'The statement that makes a change also writes its event.',
    find: missingEvents,
  },
  'an event that contradicts its trip': {
    promise: 'An event states what was decided.',
    find: contradictions,
  },
  'an event that was not published': {
    promise: 'Whatever fails, another process publishes the event.',
    find: unpublishedEvents,
  },
  'a gap in a subscription': {
    promise: 'A subscriber of a trip receives each change once and in order.',
    find: gaps,
  },
  'a subscription without its end': {
    promise: 'A subscriber of a trip receives every change until the trip ends.',
    find: missingEnds,
  },
  'an update that was not decided': {
    promise: 'A subscriber receives what is stored.',
    find: inventedUpdates,
  },
  'an offer that no driver received': {
    promise: 'Drivers who are connected receive each offer.',
    find: unheardOffers,
  },
  'a number that no clerk received': {
    promise: 'Clerks who are connected receive each number as it is issued.',
    find: unheardNumbers,
  },
  'a number received twice': {
    promise: 'A clerk receives each number at most once.',
    find: numbersHeardTwice,
  },
  'a number received but not issued': {
    promise: 'A number is published after it is committed.',
    find: inventedNumbers,
  },
} satisfies Rules;

function eventsByTrip({ events }: History): Map<string, StoredEvent[]> {
  return grouped(events, ({ tripId }) => tripId);
}

function* missingEvents(history: History): Iterable<string> {
  const byTrip = eventsByTrip(history);
  for (const { tripId, revision } of history.trips) {
    const stored = byTrip.get(tripId) ?? [];
    const gap = findGap([...stored.map((event) => event.revision), revision + 1]);
    if (gap !== undefined) yield `${tripId}: revision ${gap.missing} of ${revision}`;
  }
}

function* contradictions(history: History): Iterable<string> {
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
}

function* unpublishedEvents({ events }: History): Iterable<string> {
  for (const { tripId, revision, isPublished } of events) {
    if (!isPublished) yield `${tripId}, revision ${revision}`;
  }
}

function* gaps({ streams }: History): Iterable<string> {
  for (const { tripId, events } of streams.updates) {
    const wrong = events.find(({ revision }, index) => revision !== index + 1);
    if (wrong !== undefined)
      yield `${tripId}: revision ${wrong.revision} as number ${events.indexOf(wrong) + 1}`;
  }
}

function* missingEnds(history: History): Iterable<string> {
  const trips = tripsById(history);
  for (const { tripId, events } of history.streams.updates) {
    const trip = trips.get(tripId);
    const last = events.at(-1)?.revision ?? 0;
    if (trip !== undefined && IS_OVER.has(trip.status) && last < trip.revision) {
      yield `${tripId}: ${last} of ${trip.revision} revisions`;
    }
  }
}

function* inventedUpdates(history: History): Iterable<string> {
  const byTrip = eventsByTrip(history);
  for (const { tripId, events } of history.streams.updates) {
    for (const { revision, type, status, epoch } of events) {
      const stored = byTrip.get(tripId)?.find((event) => event.revision === revision);
      const isSame = stored?.type === type && stored.status === status && stored.epoch === epoch;
      if (stored !== undefined && !isSame)
        yield `${tripId}, revision ${revision}: ${type}, stored ${stored.type}`;
    }
  }
}

function* unheardOffers(history: History): Iterable<string> {
  const heard = new Set(history.streams.offers);
  for (const { atMs, answer } of answered(history, 'request')) {
    if (atMs >= history.calmFromMs && !heard.has(answer.tripId)) yield answer.tripId;
  }
}

function* unheardNumbers(history: History): Iterable<string> {
  const heard = new Set(history.streams.numbers);
  for (const { atMs, way, answer } of answered(history, 'numbers')) {
    const [issued] = answer;
    if (way !== 'issue' || atMs < history.calmFromMs || issued === undefined) continue;
    if (!heard.has(issued.number)) yield issued.number;
  }
}

function* numbersHeardTwice({ streams }: History): Iterable<string> {
  const clash = findDuplicates(streams.numbers);
  if (clash !== undefined) yield clash.later;
}

function* inventedNumbers({ streams, ledger }: History): Iterable<string> {
  const stored = new Set(ledger.map(({ number }) => number));
  for (const number of streams.numbers) if (!stored.has(number)) yield number;
}
