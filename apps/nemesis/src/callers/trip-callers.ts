import type { Tsid } from '@solegate/client';
import type { TripAnswer } from '../history/history.js';
import type { CallerParts } from './caller-parts.js';
import type { Subscribers } from './subscribers.js';

const DRIVERS_A_TRIP = 10;
const DRIVER_COUNT = 60;
/** Drivers who report that they are near the pickup; another such number report that they are far away. */
const NEAR_COUNT = 12;
const EVERYBODY = Array.from({ length: DRIVER_COUNT }, (_, index) => String(index + 1));
const NEAR = EVERYBODY.slice(0, NEAR_COUNT);
const FAR = EVERYBODY.slice(NEAR_COUNT, 2 * NEAR_COUNT);
const PLACES = {
  near: { latitude: 13.7563, longitude: 100.5018 },
  far: { latitude: 18.7883, longitude: 98.9853 },
} as const;

interface Offer {
  readonly tripId: Tsid;
  readonly epoch: number;
}

interface Requested extends Offer {
  readonly riderId: string;
  /** The drivers to whom it is offered. */
  readonly drivers: readonly string[];
  readonly repeat: () => Promise<unknown>;
}

/** Riders who request trips, and drivers who compete for them, late, twice and while they are on another one. */
export class TripCallers {
  readonly #unfinished = new Map<Tsid, string>();
  #keyCount = 0;

  constructor(
    private readonly parts: CallerParts,
    private readonly subscribers: Subscribers,
  ) {}

  /** Requests a trip and lets drivers compete for it. Most winners complete it, some leave it, some riders cancel. */
  async ride(): Promise<void> {
    const region =
      this.parts.places.length === 1 ? undefined : this.parts.dice.pick(this.parts.places).region;
    const trip = await this.#request(
      region,
      this.parts.dice.pick(['everyone', 'everyone', 'listed', 'nearest']),
    );
    if (trip === undefined) return;
    if (this.parts.dice.happens(0.6)) this.subscribers.watch(trip.riderId, trip.tripId);
    const winner = await this.#race(trip, trip.drivers);
    if (this.parts.dice.happens(0.3)) await trip.repeat();
    if (winner === undefined) return this.#cancel(trip.tripId, trip.riderId);
    if (this.parts.dice.happens(0.4)) return this.#leave(trip, winner);
    if (this.parts.dice.happens(0.5)) await this.#askForAnother(winner, region);
    await this.#drive(trip, winner);
  }

  /** A driver reports where they are. */
  async reportPosition(): Promise<void> {
    const place = this.parts.dice.happens(0.5) ? 'near' : 'far';
    const driverId = this.parts.dice.pick(place === 'near' ? NEAR : FAR);
    await this.parts.recorder.record('position', { driverId, place }, async () => {
      const input = PLACES[place];
      return (await this.#driver(driverId).updateDriverPosition({ input })).countsForMs;
    });
  }

  /** Requests a trip that everyone is offered, and cancels it. */
  async probe(): Promise<Tsid | undefined> {
    const trip = await this.#request(undefined, 'everyone');
    if (trip !== undefined) await this.#cancel(trip.tripId, trip.riderId);
    return trip?.tripId;
  }

  /** Cancels every trip that is not over, as far as is known. */
  async cancelAll(): Promise<void> {
    for (const [tripId, riderId] of this.#unfinished) await this.#cancel(tripId, riderId);
  }

  #driver(driverId: string) {
    return this.parts.frontends.of(`driver-${driverId}`);
  }

  async #request(
    region: string | undefined,
    audience: 'everyone' | 'listed' | 'nearest',
  ): Promise<Requested | undefined> {
    const riderId = String(this.parts.dice.between(1, 1000));
    this.#keyCount += 1;
    const key = `trip-${this.#keyCount}`;
    const drivers = this.parts.dice.sample(audience === 'nearest' ? NEAR : EVERYBODY, DRIVERS_A_TRIP);
    const input = {
      ...(region === undefined ? {} : { region }),
      ...(audience === 'listed' ? { offeredTo: drivers as Tsid[] } : {}),
      ...(audience === 'nearest' ? { pickup: PLACES.near, nearestFirst: true } : {}),
    };
    const asks = { riderId, key, ...(audience === 'nearest' ? { place: 'near' } : {}) };
    const repeat = () =>
      this.parts.recorder.record('request', asks, async () => {
        const rider = this.parts.frontends.of(`rider-${riderId}`);
        const trip = await rider.requestTrip({ input }, { idempotencyKey: key });
        const isOver = trip.status === 'COMPLETED' || trip.status === 'CANCELLED';
        if (!isOver) this.#unfinished.set(trip.id, riderId);
        return { tripId: trip.id, epoch: trip.offerEpoch, revision: trip.revision };
      });
    const trip = await this.parts.open.ask(key, repeat);
    return trip && { tripId: trip.tripId as Tsid, epoch: trip.epoch, riderId, drivers, repeat };
  }

  /**
   * Returns the driver whose accept succeeded. Another driver, perhaps one who is far away or not listed, asks late,
   * and the winner asks again.
   */
  async #race(offer: Offer, drivers: readonly string[]): Promise<string | undefined> {
    const outcomes = await Promise.all(drivers.map((driverId) => this.#accept(offer, driverId)));
    const winner = drivers[outcomes.findIndex((answer) => answer?.kind === 'TripAccepted')];
    await this.#accept(
      offer,
      this.parts.dice.pick(EVERYBODY.filter((driverId) => !drivers.includes(driverId))),
    );
    if (winner !== undefined) await this.#accept(offer, winner);
    return winner;
  }

  async #accept({ tripId, epoch }: Offer, driverId: string): Promise<TripAnswer | undefined> {
    const input = { tripId, offerEpoch: epoch };
    const request = () =>
      this.parts.recorder.record('accept', { tripId, epoch, driverId }, async () => {
        const answer = await this.#driver(driverId).acceptTrip({ input });
        return {
          kind: answer.__typename,
          ...('currentEpoch' in answer ? { epoch: answer.currentEpoch } : {}),
          ...('status' in answer ? { status: answer.status } : {}),
          ...('activeTripId' in answer ? { activeTripId: answer.activeTripId } : {}),
          ...('acceptedAt' in answer ? { acceptedAt: answer.acceptedAt } : {}),
        };
      });
    return this.parts.open.ask(
      `${tripId}/${epoch}/${driverId}`,
      request,
      ({ kind }) => kind !== 'TripUndecided',
    );
  }

  /**
   * The winner leaves, and asks for the next offer with the others. Late drivers ask for the epoch that is over, before
   * and during the race.
   */
  async #leave(trip: Requested, winner: string): Promise<void> {
    const left = await this.#step('leave', trip.tripId, winner, () =>
      this.#driver(winner).cancelTrip({ input: { tripId: trip.tripId } }),
    );
    if (left?.kind !== 'TripRedispatched' || left.epoch === undefined) {
      return this.#cancel(trip.tripId, trip.riderId);
    }
    const others = EVERYBODY.filter((driverId) => !trip.drivers.includes(driverId));
    const [tooLate = '', alsoLate = '', ...next] = this.parts.dice.sample(others, DRIVERS_A_TRIP + 2);
    await this.#accept(trip, tooLate);
    const offer = { tripId: trip.tripId, epoch: left.epoch };
    const [second] = await Promise.all([this.#race(offer, [...next, winner]), this.#accept(trip, alsoLate)]);
    if (second === undefined) return this.#cancel(trip.tripId, trip.riderId);
    await this.#drive({ ...trip, ...offer }, second);
  }

  /** A driver who is on a trip asks for another one of the same region. */
  async #askForAnother(driverId: string, region: string | undefined): Promise<void> {
    const other = await this.#request(region, 'everyone');
    if (other === undefined) return;
    await this.#accept(other, driverId);
    await this.#cancel(other.tripId, other.riderId);
  }

  async #drive({ tripId, riderId }: Requested, driverId: string): Promise<void> {
    const driver = this.#driver(driverId);
    const input = { tripId };
    await this.#step('start', tripId, driverId, () => driver.startTrip({ input }));
    if (this.parts.dice.happens(0.2)) return this.#cancel(tripId, riderId);
    const done = await this.#step('complete', tripId, driverId, () => driver.completeTrip({ input }));
    if (done?.kind === 'TripCompleted') this.#unfinished.delete(tripId);
    else await this.#cancel(tripId, riderId);
  }

  async #cancel(tripId: Tsid, riderId: string): Promise<void> {
    const rider = this.parts.frontends.of(`rider-${riderId}`);
    const answer = await this.#step('cancel', tripId, riderId, () => rider.cancelTrip({ input: { tripId } }));
    if (answer !== undefined) this.#unfinished.delete(tripId);
  }

  async #step(
    step: 'start' | 'complete' | 'leave' | 'cancel',
    tripId: Tsid,
    userId: string,
    call: () => Promise<{ __typename: string; trip?: { offerEpoch: number }; status?: string }>,
  ): Promise<TripAnswer | undefined> {
    const ending = await this.parts.recorder.record('ride', { step, tripId, userId }, async () => {
      const { __typename: kind, trip, status } = await call();
      return { kind, ...(trip ? { epoch: trip.offerEpoch } : {}), ...(status ? { status } : {}) };
    });
    return ending.kind === 'answered' ? ending.answer : undefined;
  }
}
