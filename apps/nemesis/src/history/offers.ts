import { answered, type History, precedes, type StoredTrip } from './history.js';
import { rule } from './rule.js';

export const OFFER_RULES = {
  'two winners': rule('Exactly one driver gets the trip.', function* (history) {
    for (const [offer, drivers] of reportedWinners(history)) {
      if (drivers.size > 1) yield `${offer}: ${[...drivers].join(', ')}`;
    }
  }),

  'a winner who is not stored': rule('A reservation that was reported is committed.', function* (history) {
    const stored = storedWinners(history);
    for (const [offer, drivers] of reportedWinners(history)) {
      const [driver] = drivers;
      // With two, it is known already that one of them is wrong.
      if (drivers.size === 1 && stored.get(offer) !== driver) {
        yield `${offer}: ${driver} accepted, ${stored.get(offer) ?? 'nobody'} is stored`;
      }
    }
  }),

  'a winner who was turned away': rule(
    'The winner never receives TAKEN, whichever process they call.',
    function* (history) {
      const stored = storedWinners(history);
      for (const call of answered(history, 'accept')) {
        if (call.answer.kind === 'TripTaken' && stored.get(nameOf(call)) === call.driverId) {
          yield `${nameOf(call)}: ${call.driverId}`;
        }
      }
    },
  ),

  'a repeat with another value': rule(
    'Every repeat of an accept that won returns the same value.',
    function* (history) {
      const first = new Map<string, string | undefined>();
      for (const call of answered(history, 'accept')) {
        const { kind, acceptedAt } = call.answer;
        if (kind !== 'TripAccepted') continue;
        const name = `${nameOf(call)}/${call.driverId}`;
        if (!first.has(name)) first.set(name, acceptedAt);
        else if (first.get(name) !== acceptedAt) yield `${name}: ${first.get(name)}, then ${acceptedAt}`;
      }
    },
  ),

  'a trip taken by nobody': rule('TAKEN means that a reservation is committed.', function* (history) {
    const stored = storedWinners(history);
    const claimed = reportedWinners(history);
    for (const call of answered(history, 'accept')) {
      const offer = nameOf(call);
      if (call.answer.kind === 'TripTaken' && !stored.has(offer) && !claimed.has(offer)) {
        yield `${offer}: reported to ${call.driverId}`;
      }
    }
  }),

  'a driver who did not ask': rule(
    'A trip goes only to a driver who accepted the offer of that epoch.',
    function* (history) {
      const asked = new Set(
        history.calls.flatMap((call) =>
          call.asked === 'accept' ? [`${nameOf(call)}/${call.driverId}`] : [],
        ),
      );
      for (const [offer, driver] of storedWinners(history)) {
        if (!asked.has(`${offer}/${driver}`)) yield `${offer}: ${driver}`;
      }
    },
  ),

  'an old offer accepted': rule(
    'An accept of an epoch that is over changes nothing, and the answer says so.',
    function* (history) {
      const newer = [
        ...answered(history, 'ride').filter(({ answer }) => answer.kind === 'TripRedispatched'),
        ...answered(history, 'accept').filter(({ answer }) => answer.kind === 'StaleOffer'),
      ];
      for (const call of answered(history, 'accept')) {
        if (call.answer.kind !== 'TripAccepted') continue;
        const isOld = newer.some(
          (other) =>
            other.tripId === call.tripId && Number(other.answer.epoch) > call.epoch && precedes(other, call),
        );
        if (isOld) yield `${nameOf(call)}: ${call.driverId}`;
      }
    },
  ),

  /** The driver was answered that they have a trip, asked for another, got it, and then started the first one. */
  /** A driver can have a trip in each cell. */
  'a driver accepted twice at once': rule('A driver has one active trip.', function* (history) {
    const trips = tripsById(history);
    const accepts = answered(history, 'accept').filter(({ answer }) => answer.kind === 'TripAccepted');
    const starts = answered(history, 'ride').filter(({ answer }) => answer.kind === 'TripStarted');
    for (const start of starts) {
      const [first] = accepts.filter(
        ({ tripId, driverId }) => tripId === start.tripId && driverId === start.userId,
      );
      const second = accepts.find(
        (other) =>
          first !== undefined &&
          other.driverId === start.userId &&
          other.tripId !== start.tripId &&
          trips.get(other.tripId)?.cell === trips.get(start.tripId)?.cell &&
          precedes(first, other) &&
          precedes(other, start),
      );
      if (second !== undefined) yield `${start.userId}: ${start.tripId} and ${second.tripId}`;
    }
  }),

  'a driver busy without a trip': rule(
    'DRIVER_BUSY names the trip that the driver has.',
    function* (history) {
      const trips = tripsById(history);
      for (const { driverId, answer } of answered(history, 'accept')) {
        if (answer.kind !== 'DriverBusy') continue;
        const trip = trips.get(answer.activeTripId ?? '');
        if (trip?.driverId !== driverId && !trip?.excluded.includes(driverId)) {
          yield `${driverId}: ${answer.activeTripId}`;
        }
      }
    },
  ),

  /** The list of an offer only grows. */
  'a winner outside of the offer': rule(
    'A trip goes only to a driver to whom it was offered.',
    function* ({ trips }) {
      for (const { tripId, driverId, offered } of trips) {
        if (driverId !== null && offered !== null && !offered.includes(driverId))
          yield `${tripId}: ${driverId}`;
      }
    },
  ),

  'an offer to someone far away': rule(
    'A trip for the nearest drivers is offered to drivers within its radius.',
    function* (history) {
      const placeOf = new Map<string, string>();
      for (const call of history.calls) {
        if (call.asked === 'position') placeOf.set(call.driverId, call.place);
      }
      const trips = tripsById(history);
      for (const { place, answer } of answered(history, 'request')) {
        const far =
          trips.get(answer.tripId)?.offered?.filter((driverId) => placeOf.get(driverId) !== place) ?? [];
        if (place !== undefined && far.length > 0) yield `${answer.tripId} at ${place}: ${far.join(', ')}`;
      }
    },
  ),

  'a position that does not count': rule(
    'A position that was reported is valid for the stated time.',
    function* (history) {
      for (const { driverId, answer } of answered(history, 'position')) {
        if (!(answer > 0)) yield `${driverId}: ${answer} ms`;
      }
    },
  ),
};

interface Offer {
  readonly tripId: string;
  readonly epoch: number;
}

export const nameOf = ({ tripId, epoch }: Offer): string => `${tripId}/${epoch}`;

export function tripsById({ trips }: History): Map<string, StoredTrip> {
  return new Map(trips.map((trip) => [trip.tripId, trip]));
}

/** Winners by offer: of the current epoch from the trip itself, of earlier ones from their events. */
export function storedWinners({ trips, events }: History): Map<string, string> {
  const current = new Map(trips.map(({ tripId, epoch }) => [tripId, epoch]));
  const earlier = events.flatMap((event) =>
    event.type === 'TRIP_ACCEPTED' && event.driverId !== null && current.get(event.tripId) !== event.epoch
      ? [[nameOf(event), event.driverId] as const]
      : [],
  );
  const present = trips.flatMap((trip) =>
    trip.driverId === null ? [] : [[nameOf(trip), trip.driverId] as const],
  );
  return new Map([...earlier, ...present]);
}

/** Answers TripAccepted, by offer. */
function reportedWinners(history: History): Map<string, Set<string>> {
  const winners = new Map<string, Set<string>>();
  for (const call of answered(history, 'accept')) {
    if (call.answer.kind !== 'TripAccepted') continue;
    const name = nameOf(call);
    winners.set(name, (winners.get(name) ?? new Set()).add(call.driverId));
  }
  return winners;
}
