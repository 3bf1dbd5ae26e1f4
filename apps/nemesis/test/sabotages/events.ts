import { answeredCall, defined, type Falsification, trip } from './sabotage.js';

export const EVENT_SABOTAGES = {
  eventsDropped: {
    caughtBy: 'a change without its event',
    falsify(draft) {
      const { tripId } = trip(draft, 'completed');
      draft.events = draft.events.filter(
        (event) => event.tripId !== tripId || event.type === 'TRIP_ACCEPTED',
      );
    },
  },
  eventUntrue: {
    caughtBy: 'an event that contradicts its trip',
    falsify(draft) {
      const { tripId, revision } = trip(draft, 'completed');
      const last = draft.events.find((event) => event.tripId === tripId && event.revision === revision);
      defined(last).status = 'CANCELLED';
    },
  },
  eventOfAnotherDriver: {
    caughtBy: 'an event that contradicts its trip',
    falsify(draft) {
      const { tripId } = trip(draft, 'completed');
      const accepted = draft.events.find(
        (event) => event.tripId === tripId && event.type === 'TRIP_ACCEPTED',
      );
      defined(accepted).driverId = '11';
    },
  },
  relayStuck: {
    caughtBy: 'an event that was not published',
    falsify({ events }) {
      defined(events.at(-1)).isPublished = false;
    },
  },
  updateSkipped: {
    caughtBy: 'a gap in a subscription',
    falsify: ({ streams }) => void defined(streams.updates[0]).events.splice(1, 1),
  },
  updateRepeated: {
    caughtBy: 'a gap in a subscription',
    falsify({ streams }) {
      const { events } = defined(streams.updates[0]);
      events.push(defined(events.at(-1)));
    },
  },
  subscriptionCutShort: {
    caughtBy: 'a subscription without its end',
    falsify: ({ streams }) => void defined(streams.updates[0]).events.pop(),
  },
  updateInvented: {
    caughtBy: 'an update that was not decided',
    falsify({ streams }) {
      defined(streams.updates[0]?.events[1]).type = 'TRIP_EXPIRED';
    },
  },
  relaySilent: {
    caughtBy: 'an offer that no driver received',
    falsify({ streams }) {
      streams.offers = [];
    },
  },
  numbersNotPublished: {
    caughtBy: 'a number that no clerk received',
    falsify({ streams }) {
      streams.numbers = [];
    },
  },
  numberPublishedTwice: {
    caughtBy: 'a number received twice',
    falsify: ({ streams }) => void streams.numbers.push(defined(streams.numbers[0])),
  },
  numberPublishedTooSoon: {
    caughtBy: 'a number received but not issued',
    falsify: ({ streams }) => void streams.numbers.push('RFA-999'),
  },
  callThatHangs: {
    caughtBy: 'a call that did not end',
    falsify(draft) {
      answeredCall(draft, 'position').tookMs = 1001;
    },
  },
  internalError: {
    caughtBy: 'an internal error',
    falsify(draft) {
      const ending = { kind: 'failed', code: 'INTERNAL_SERVER_ERROR', outcomeUnknown: true } as const;
      draft.calls.push({ ...answeredCall(draft, 'position'), ending });
    },
  },
  refusedCallCarriedOut: {
    caughtBy: 'a refused call that was carried out',
    falsify(draft) {
      const call = draft.calls.find((one) => one.asked === 'numbers' && one.key === 'unanswered');
      const ending = { kind: 'failed', code: 'SERVICE_UNAVAILABLE', outcomeUnknown: false } as const;
      Object.assign(defined(call), { ending });
    },
  },
} satisfies Readonly<Record<string, Falsification>>;
