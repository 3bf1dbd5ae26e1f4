import { answeredCall, defined, type Falsification, trip, undo } from './sabotage.js';

export const TRIP_SABOTAGES = {
  loserToldAccepted: {
    caughtBy: 'two winners',
    falsify(draft) {
      const { tripId } = trip(draft, 'completed');
      answeredCall(draft, 'accept', { tripId, driverId: '11' }).ending.answer.kind = 'TripAccepted';
    },
  },
  acceptedCommitLost: {
    caughtBy: 'a winner who is not stored',
    falsify(draft) {
      const lost = trip(draft, 'cancelled by its rider');
      lost.driverId = null;
      for (const event of draft.events) if (event.tripId === lost.tripId) event.driverId = null;
    },
  },
  winnerToldTaken: {
    caughtBy: 'a winner who was turned away',
    falsify(draft) {
      const { tripId } = trip(draft, 'completed');
      const call = answeredCall(draft, 'accept', { tripId, driverId: '10' });
      const ending = { kind: 'answered', answer: { kind: 'TripTaken' } } as const;
      draft.calls.push({ ...call, atMs: call.atMs + 1, ending });
    },
  },
  acceptRepeatedLater: {
    caughtBy: 'a repeat with another value',
    falsify(draft) {
      const { tripId } = trip(draft, 'completed');
      answeredCall(draft, 'accept', { tripId, driverId: '10' }).ending.answer.acceptedAt = 'later';
    },
  },
  takenBeforeDecided: {
    caughtBy: 'a trip taken by nobody',
    falsify(draft) {
      const { tripId } = trip(draft, 'asked by a busy driver');
      answeredCall(draft, 'accept', { tripId }).ending.answer = { kind: 'TripTaken' };
    },
  },
  oldEpochAccepted: {
    caughtBy: 'a driver who did not ask',
    falsify(draft) {
      trip(draft, 'left and abandoned').driverId = '31';
    },
  },
  oldEpochToldAccepted: {
    caughtBy: 'an old offer accepted',
    falsify(draft) {
      const { tripId } = trip(draft, 'left');
      const [, again] = draft.calls.filter(
        (call) => call.asked === 'accept' && call.tripId === tripId && call.driverId === '20',
      );
      Object.assign(defined(again), { ending: { kind: 'answered', answer: { kind: 'TripAccepted' } } });
    },
  },
  busyDriverAccepted: {
    caughtBy: 'a driver accepted twice at once',
    falsify(draft) {
      const other = trip(draft, 'asked by a busy driver');
      other.driverId = '50';
      answeredCall(draft, 'accept', { tripId: other.tripId }).ending.answer = { kind: 'TripAccepted' };
    },
  },
  freeDriverToldBusy: {
    caughtBy: 'a driver busy without a trip',
    falsify(draft) {
      const { tripId } = trip(draft, 'asked by a busy driver');
      const { answer } = answeredCall(draft, 'accept', { tripId }).ending;
      Object.assign(answer, { activeTripId: trip(draft, 'listed').tripId });
    },
  },
  audienceIgnored: {
    caughtBy: 'a winner outside of the offer',
    falsify(draft) {
      trip(draft, 'listed').offered = ['61'];
    },
  },
  offeredFarAway: {
    caughtBy: 'an offer to someone far away',
    falsify: (draft) => void trip(draft, 'nearest').offered?.push('90'),
  },
  positionIgnored: {
    caughtBy: 'a position that does not count',
    falsify(draft) {
      answeredCall(draft, 'position').ending.answer = 0;
    },
  },
  tripForgotten: {
    caughtBy: 'a lost trip',
    falsify(draft) {
      const { tripId } = trip(draft, 'never accepted');
      draft.trips = draft.trips.filter((one) => one.tripId !== tripId);
      draft.events = draft.events.filter((event) => event.tripId !== tripId);
    },
  },
  requestCarriedOutTwice: {
    caughtBy: 'one request, two trips',
    falsify(draft) {
      const { riderId, key } = trip(draft, 'completed');
      Object.assign(trip(draft, 'never accepted'), { riderId, key });
    },
  },
  requestStartedOver: {
    caughtBy: 'a request that started over',
    falsify(draft) {
      const repeats = draft.calls.filter((call) => call.asked === 'request' && call.key === 'completed');
      const { ending } = defined(repeats.at(-1)) as { ending: { answer: { revision: number } } };
      ending.answer.revision = 1;
    },
  },
  startForgotten: {
    caughtBy: 'a start that was forgotten',
    falsify: (draft) => undo(draft, 'second under way', 'ACCEPTED'),
  },
  completionForgotten: {
    caughtBy: 'a completion that was forgotten',
    falsify(draft) {
      undo(draft, 'nearest', 'IN_PROGRESS');
      draft.active.push({ driverId: '1', tripId: trip(draft, 'nearest').tripId });
    },
  },
  tripCancellationForgotten: {
    caughtBy: 'a cancellation that was forgotten',
    falsify: (draft) => undo(draft, 'never accepted', 'FINDING'),
  },
  departureForgotten: {
    caughtBy: 'a driver who left and is not excluded',
    falsify(draft) {
      trip(draft, 'left').excluded = [];
    },
  },
  leaverAccepted: {
    caughtBy: 'a driver back on a trip they left',
    falsify(draft) {
      const { tripId } = trip(draft, 'left');
      const rows = [...draft.calls, ...draft.events, ...draft.trips];
      for (const row of rows as { tripId?: string; driverId?: string | null; userId?: string }[]) {
        if (row.tripId === tripId && row.driverId === '23') row.driverId = '20';
        if (row.tripId === tripId && row.userId === '23') row.userId = '20';
      }
    },
  },
  openTripToldOver: {
    caughtBy: 'a trip that is not over',
    falsify(draft) {
      const { tripId } = trip(draft, 'completed');
      answeredCall(draft, 'accept', { tripId, driverId: '13' }).ending.answer.status = 'CANCELLED';
    },
  },
  driverWithTwoTrips: {
    caughtBy: 'a driver on two trips',
    falsify(draft) {
      const { tripId } = trip(draft, 'second under way');
      const rows = [...draft.calls, ...draft.events, ...draft.trips, ...draft.active];
      for (const row of rows as { tripId?: string; driverId?: string | null; userId?: string }[]) {
        if (row.tripId !== tripId) continue;
        if (row.driverId === '51') row.driverId = '50';
        if (row.userId === '51') row.userId = '50';
      }
    },
  },
  driverNotFreed: {
    caughtBy: 'a reservation that disagrees with its trip',
    falsify: (draft) => void draft.active.push({ driverId: '10', tripId: trip(draft, 'completed').tripId }),
  },
  driverNotReserved: {
    caughtBy: 'a reservation that disagrees with its trip',
    falsify: ({ active }) => void active.pop(),
  },
} satisfies Readonly<Record<string, Falsification>>;
