import { answered, type History, precedes, type StoredTrip } from './history.js';
import type { Rules } from './rule.js';

export const OFFER_RULES = {
  'two winners': { promise: 'Exactly one driver gets the trip.', find: twoWinners },
  'a winner who is not stored': {
    promise: 'A reservation that was reported is committed.',
    find: unstoredWinners,
  },
  'a winner who was turned away': {
    promise: 'The winner never receives TAKEN, whichever process they call.',
    find: refusedWinners,
  },
  'a repeat with another value': {
    promise: 'Every repeat of an accept that won returns the same value.',
    find: changedAccepts,
  },
  'a trip taken by nobody': { promise: 'TAKEN means that a reservation is committed.', find: untrueTaken },
  'a driver who did not ask': {
    promise: 'A trip goes only to a driver who accepted the offer of that epoch.',
    find: driversWhoDidNotAsk,
  },
  'an old offer accepted': {
    promise: 'An accept of an epoch that is over changes nothing, and the answer says so.',
    find: oldOffersAccepted,
  },
  'a driver accepted twice at once': { promise: 'A driver has one active trip.', find: doubleAccepts },
  'a driver busy without a trip': {
    promise: 'DRIVER_BUSY names the trip that the driver has.',
    find: untrueBusy,
  },
  'a winner outside of the offer': {
    promise: 'A trip goes only to a driver to whom it was offered.',
    find: winnersOutside,
  },
  'an offer to someone far away': {
    promise: 'A trip for the nearest drivers is offered to drivers within its radius.',
    find: farOffers,
  },
  'a position that does not count': {
    promise: 'A position that was reported is valid for the stated time.',
    find: voidPositions,
  },
} satisfies Rules;

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

function* twoWinners(history: History): Iterable<string> {
  for (const [offer, drivers] of reportedWinners(history)) {
    if (drivers.size > 1) yield `${offer}: ${[...drivers].join(', ')}`;
  }
}

function* unstoredWinners(history: History): Iterable<string> {
  const stored = storedWinners(history);
  for (const [offer, drivers] of reportedWinners(history)) {
    const [driver] = drivers;
    // With two, it is known already that one of them is wrong.
    if (drivers.size === 1 && stored.get(offer) !== driver) {
      yield `${offer}: ${driver} accepted, ${stored.get(offer) ?? 'nobody'} is stored`;
    }
  }
}

function* refusedWinners(history: History): Iterable<string> {
  const stored = storedWinners(history);
  for (const call of answered(history, 'accept')) {
    if (call.answer.kind === 'TripTaken' && stored.get(nameOf(call)) === call.driverId) {
      yield `${nameOf(call)}: ${call.driverId}`;
    }
  }
}

function* changedAccepts(history: History): Iterable<string> {
  const first = new Map<string, string | undefined>();
  for (const call of answered(history, 'accept')) {
    const { kind, acceptedAt } = call.answer;
    if (kind !== 'TripAccepted') continue;
    const name = `${nameOf(call)}/${call.driverId}`;
    if (!first.has(name)) first.set(name, acceptedAt);
    else if (first.get(name) !== acceptedAt) yield `${name}: ${first.get(name)}, then ${acceptedAt}`;
  }
}

function* untrueTaken(history: History): Iterable<string> {
  const stored = storedWinners(history);
  const claimed = reportedWinners(history);
  for (const call of answered(history, 'accept')) {
    const offer = nameOf(call);
    if (call.answer.kind === 'TripTaken' && !stored.has(offer) && !claimed.has(offer)) {
      yield `${offer}: reported to ${call.driverId}`;
    }
  }
}

function* driversWhoDidNotAsk(history: History): Iterable<string> {
  const asked = new Set(
    history.calls.flatMap((call) => (call.asked === 'accept' ? [`${nameOf(call)}/${call.driverId}`] : [])),
  );
  for (const [offer, driver] of storedWinners(history)) {
    if (!asked.has(`${offer}/${driver}`)) yield `${offer}: ${driver}`;
  }
}

function* oldOffersAccepted(history: History): Iterable<string> {
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
}

/** The driver was answered that they have a trip, asked for another, got it, and then started the first one. */
/** A driver can have a trip in each cell. */
function* doubleAccepts(history: History): Iterable<string> {
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
}

function* untrueBusy(history: History): Iterable<string> {
  const trips = tripsById(history);
  for (const { driverId, answer } of answered(history, 'accept')) {
    if (answer.kind !== 'DriverBusy') continue;
    const trip = trips.get(answer.activeTripId ?? '');
    if (trip?.driverId !== driverId && !trip?.excluded.includes(driverId)) {
      yield `${driverId}: ${answer.activeTripId}`;
    }
  }
}

/** The list of an offer only grows. */
function* winnersOutside({ trips }: History): Iterable<string> {
  for (const { tripId, driverId, offered } of trips) {
    if (driverId !== null && offered !== null && !offered.includes(driverId)) yield `${tripId}: ${driverId}`;
  }
}

function* farOffers(history: History): Iterable<string> {
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
}

function* voidPositions(history: History): Iterable<string> {
  for (const { driverId, answer } of answered(history, 'position')) {
    if (!(answer > 0)) yield `${driverId}: ${answer} ms`;
  }
}
