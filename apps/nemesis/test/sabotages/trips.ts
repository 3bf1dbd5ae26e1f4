import { answeredCall, caught, defined, trip, undo } from './sabotage.js';

export const TRIP_SABOTAGES = {
  loserAnsweredAccepted: caught('two winners', (draft) => {
    const { tripId } = trip(draft, 'completed');
    answeredCall(draft, 'accept', { tripId, driverId: '11' }).ending.answer.kind = 'TripAccepted';
  }),
  acceptedCommitLost: caught('a winner who is not stored', (draft) => {
    const lost = trip(draft, 'cancelled by its rider');
    lost.driverId = null;
    for (const event of draft.events) if (event.tripId === lost.tripId) event.driverId = null;
  }),
  winnerAnsweredTaken: caught('a winner who was turned away', (draft) => {
    const { tripId } = trip(draft, 'completed');
    const call = answeredCall(draft, 'accept', { tripId, driverId: '10' });
    const ending = { kind: 'answered', answer: { kind: 'TripTaken' } } as const;
    draft.calls.push({ ...call, atMs: call.atMs + 1, ending });
  }),
  acceptRepeatedLater: caught('a repeat with another value', (draft) => {
    const { tripId } = trip(draft, 'completed');
    answeredCall(draft, 'accept', { tripId, driverId: '10' }).ending.answer.acceptedAt = 'later';
  }),
  takenBeforeDecided: caught('a trip taken by nobody', (draft) => {
    const { tripId } = trip(draft, 'asked by a busy driver');
    answeredCall(draft, 'accept', { tripId }).ending.answer = { kind: 'TripTaken' };
  }),
  oldEpochAccepted: caught('a driver who did not ask', (draft) => {
    trip(draft, 'left and abandoned').driverId = '31';
  }),
  oldEpochAnsweredAccepted: caught('an old offer accepted', (draft) => {
    const { tripId } = trip(draft, 'left');
    const [, again] = draft.calls.filter(
      (call) => call.asked === 'accept' && call.tripId === tripId && call.driverId === '20',
    );
    Object.assign(defined(again), { ending: { kind: 'answered', answer: { kind: 'TripAccepted' } } });
  }),
  busyDriverAccepted: caught('a driver accepted twice at once', (draft) => {
    const other = trip(draft, 'asked by a busy driver');
    other.driverId = '50';
    answeredCall(draft, 'accept', { tripId: other.tripId }).ending.answer = { kind: 'TripAccepted' };
  }),
  freeDriverAnsweredBusy: caught('a driver busy without a trip', (draft) => {
    const { tripId } = trip(draft, 'asked by a busy driver');
    const { answer } = answeredCall(draft, 'accept', { tripId }).ending;
    Object.assign(answer, { activeTripId: trip(draft, 'listed').tripId });
  }),
  audienceIgnored: caught('a winner outside of the offer', (draft) => {
    trip(draft, 'listed').offered = ['61'];
  }),
  offeredFarAway: caught(
    'an offer to someone far away',
    (draft) => void trip(draft, 'nearest').offered?.push('90'),
  ),
  positionIgnored: caught('a position that does not count', (draft) => {
    answeredCall(draft, 'position').ending.answer = 0;
  }),
  tripForgotten: caught('a lost trip', (draft) => {
    const { tripId } = trip(draft, 'never accepted');
    draft.trips = draft.trips.filter((one) => one.tripId !== tripId);
    draft.events = draft.events.filter((event) => event.tripId !== tripId);
  }),
  requestCarriedOutTwice: caught('one request, two trips', (draft) => {
    const { riderId, key } = trip(draft, 'completed');
    Object.assign(trip(draft, 'never accepted'), { riderId, key });
  }),
  requestStartedOver: caught('a request that started over', (draft) => {
    const repeats = draft.calls.filter((call) => call.asked === 'request' && call.key === 'completed');
    const { ending } = defined(repeats.at(-1)) as { ending: { answer: { revision: number } } };
    ending.answer.revision = 1;
  }),
  startForgotten: caught('a start that was forgotten', (draft) =>
    undo(draft, 'second under way', 'ACCEPTED'),
  ),
  completionForgotten: caught('a completion that was forgotten', (draft) => {
    undo(draft, 'nearest', 'IN_PROGRESS');
    draft.active.push({ driverId: '1', tripId: trip(draft, 'nearest').tripId });
  }),
  tripCancellationForgotten: caught('a cancellation that was forgotten', (draft) =>
    undo(draft, 'never accepted', 'FINDING'),
  ),
  departureForgotten: caught('a driver who left and is not excluded', (draft) => {
    trip(draft, 'left').excluded = [];
  }),
  leaverAccepted: caught('a driver back on a trip they left', (draft) => {
    const { tripId } = trip(draft, 'left');
    const rows = [...draft.calls, ...draft.events, ...draft.trips];
    for (const row of rows as { tripId?: string; driverId?: string | null; userId?: string }[]) {
      if (row.tripId === tripId && row.driverId === '23') row.driverId = '20';
      if (row.tripId === tripId && row.userId === '23') row.userId = '20';
    }
  }),
  openTripAnsweredOver: caught('a trip that is not over', (draft) => {
    const { tripId } = trip(draft, 'completed');
    answeredCall(draft, 'accept', { tripId, driverId: '13' }).ending.answer.status = 'CANCELLED';
  }),
  driverWithTwoTrips: caught('a driver on two trips', (draft) => {
    const { tripId } = trip(draft, 'second under way');
    const rows = [...draft.calls, ...draft.events, ...draft.trips, ...draft.active];
    for (const row of rows as { tripId?: string; driverId?: string | null; userId?: string }[]) {
      if (row.tripId !== tripId) continue;
      if (row.driverId === '51') row.driverId = '50';
      if (row.userId === '51') row.userId = '50';
    }
  }),
  driverNotFreed: caught(
    'a reservation that disagrees with its trip',
    (draft) => void draft.active.push({ driverId: '10', tripId: trip(draft, 'completed').tripId }),
  ),
  driverNotReserved: caught('a reservation that disagrees with its trip', ({ active }) => void active.pop()),
};
