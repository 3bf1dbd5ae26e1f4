import { answeredCall, caught, defined, trip } from './sabotage.js';

export const EVENT_SABOTAGES = {
  eventsDropped: caught('a change without its event', (draft) => {
    const { tripId } = trip(draft, 'completed');
    draft.events = draft.events.filter((event) => event.tripId !== tripId || event.type === 'TRIP_ACCEPTED');
  }),
  eventUntrue: caught('an event that contradicts its trip', (draft) => {
    const { tripId, revision } = trip(draft, 'completed');
    const last = draft.events.find((event) => event.tripId === tripId && event.revision === revision);
    defined(last).status = 'CANCELLED';
  }),
  eventOfAnotherDriver: caught('an event that contradicts its trip', (draft) => {
    const { tripId } = trip(draft, 'completed');
    const accepted = draft.events.find((event) => event.tripId === tripId && event.type === 'TRIP_ACCEPTED');
    defined(accepted).driverId = '11';
  }),
  relayStuck: caught('an event that was not published', ({ events }) => {
    defined(events.at(-1)).isPublished = false;
  }),
  updateSkipped: caught(
    'a gap in a subscription',
    ({ streams }) => void defined(streams.updates[0]).events.splice(1, 1),
  ),
  updateRepeated: caught('a gap in a subscription', ({ streams }) => {
    const { events } = defined(streams.updates[0]);
    events.push(defined(events.at(-1)));
  }),
  subscriptionCutShort: caught(
    'a subscription without its end',
    ({ streams }) => void defined(streams.updates[0]).events.pop(),
  ),
  updateInvented: caught('an update that was not decided', ({ streams }) => {
    defined(streams.updates[0]?.events[1]).type = 'TRIP_EXPIRED';
  }),
  relaySilent: caught('an offer that no driver received', ({ streams }) => {
    streams.offers = [];
  }),
  numbersNotPublished: caught('a number that no clerk received', ({ streams }) => {
    streams.numbers = [];
  }),
  numberPublishedTwice: caught(
    'a number received twice',
    ({ streams }) => void streams.numbers.push(defined(streams.numbers[0])),
  ),
  numberPublishedTooSoon: caught(
    'a number received but not issued',
    ({ streams }) => void streams.numbers.push('RFA-999'),
  ),
  callThatHangs: caught('a call that did not end', (draft) => {
    answeredCall(draft, 'position').tookMs = 1001;
  }),
  internalError: caught('an internal error', (draft) => {
    const ending = { kind: 'failed', code: 'INTERNAL_SERVER_ERROR', outcomeUnknown: true } as const;
    draft.calls.push({ ...answeredCall(draft, 'position'), ending });
  }),
  refusedCallCarriedOut: caught('a refused call that was carried out', (draft) => {
    const call = draft.calls.find((one) => one.asked === 'numbers' && one.key === 'unanswered');
    const ending = { kind: 'failed', code: 'SERVICE_UNAVAILABLE', outcomeUnknown: false } as const;
    Object.assign(defined(call), { ending });
  }),
};
