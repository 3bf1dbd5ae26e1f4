/**
 * Offers that reach the nearest free drivers first, and then more of them.
 *
 * Authority. The row of the trip lists the drivers of an offer, and `driver_active` says who is free. Positions are a
 * hint from Redis. The progress of an offer is in `trip_nearest`, so any process can continue it.
 *
 * Steps. A sweep takes due steps in one statement, which postpones them (`LEASE_MS`): if the process dies, the next
 * sweep takes them again. It searches for each trip; the search reserves the drivers for one step, so that riders at one
 * place get different drivers, and no driver gets more than one new nearest offer within a step. One statement checks
 * who is on a trip; those are marked, and the search continues without them. One statement ends all steps. It skips
 * trips whose rows are locked, so none waits for another.
 *
 * A driver who was offered the trip is in its list and is skipped from then on: no one is offered it twice in an epoch.
 *
 * Failures. If positions are unavailable, the offer reaches no one yet, the step is repeated within a second, and after
 * two seconds `whenUnavailable` applies. A reservation of drivers whose trip did not get them is removed, or expires; one
 * that another sweep has made since, or that the trip may have got without an answer, stays.
 */
import type { DriverPool } from '../driver-pool/driver-pool.js';
import type { ReservedDriver } from '../driver-pool/pool-commands.js';
import { BUSY_DRIVERS, busyOf } from '../sql/busy.js';
import type { StoreCall } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { InvalidRequestError } from '../trip/errors.js';
import { LISTED_DRIVERS_MAX } from '../trip/input.js';
import type { TripObserver } from '../trip/observer.js';
import type { NearestOffer, Place } from '../trip/trip.js';
import { END_STEPS, type EndedStep, endStepsValues, type StepRow, TAKE_STEPS } from './nearest-steps.js';

/** How often a search is repeated because the drivers it found turned out to be on a trip. */
const REPAIR_MAX = 3;
/** Searches in progress at a time: Redis serves other callers between them. */
const SEARCHES_AT_ONCE = 4;
/** Maximum number of steps taken together: their searches end long before their lease. */
const TAKEN_MAX = 50;
/** Maximum lock wait of the statement that ends the steps, in milliseconds. */
const LOCK_WAIT_MS = 20;

/** What this package uses of a driver pool. */
export type DriverPositions = Pick<DriverPool, 'reserveNearest' | 'markBusy' | 'release' | 'giveBack'>;

interface Search {
  readonly tripId: bigint;
  readonly pickup: Place;
  readonly nearest: NearestOffer;
  /** From 1. */
  step: number;
  /** Drivers to leave out: those of the offer, those who left, and those who turned out to be busy. */
  readonly known: Set<bigint>;
  readonly roomLeft: number;
  found: ReservedDriver[];
  isUnavailable: boolean;
}

/** The first audience of a trip. */
export interface FirstDrivers {
  readonly found: readonly ReservedDriver[];
  readonly nextStep: number;
  readonly isUnavailable: boolean;
}

export class NearestOffers {
  readonly #drivers: DriverPositions | undefined;
  readonly #observer: TripObserver;

  constructor(drivers: DriverPositions | undefined, observer: TripObserver) {
    this.#drivers = drivers;
    this.#observer = observer;
  }

  /** Returns the first drivers of a new trip; none yet if it is offered later, or if positions are unavailable. */
  async first(
    call: StoreCall,
    request: { tripId: bigint; pickup?: Place; nearest?: NearestOffer; offerAt?: Date },
  ): Promise<FirstDrivers | undefined> {
    const { tripId, pickup, nearest, offerAt } = request;
    if (pickup === undefined || nearest === undefined) return undefined;
    if (this.#drivers === undefined) {
      throw new InvalidRequestError('nearest', 'needs "drivers" in the options of createTripReservation');
    }
    const search = searchOf({ tripId, pickup, nearest, step: 1, known: [] });
    if (offerAt === undefined) await this.#searchAll(call, [search], this.#drivers);
    return { found: search.found, nextStep: nextStepOf(search), isUnavailable: search.isUnavailable };
  }

  /** Runs the due steps, up to `batchMax`; resolves with the number of offers that reached more drivers. */
  async sweep(call: StoreCall, batchMax: number): Promise<number> {
    let movedCount = 0;
    // The statements that end the last steps need time, too.
    const spareMs = Math.floor(call.deadline.leftMs / 2);
    for (let left = batchMax; left > 0 && this.#drivers && call.deadline.leftMs >= spareMs; ) {
      const takenMax = Math.min(left, TAKEN_MAX);
      const rows = (await call.change(TAKE_STEPS, [takenMax])) as StepRow[];
      if (rows.length > 0) movedCount += await this.#runSteps(call, rows, this.#drivers);
      if (rows.length < takenMax) break;
      left -= takenMax;
    }
    return movedCount;
  }

  async #runSteps(call: StoreCall, rows: readonly StepRow[], drivers: DriverPositions): Promise<number> {
    const searches = rows.map((row) =>
      searchOf({
        tripId: BigInt(row.trip_id),
        pickup: row.pickup,
        nearest: { batchSize: row.batch_size, everyMs: row.every_ms, radiiMeters: row.radii },
        step: row.next_step,
        known: row.known_driver_ids.map(BigInt),
      }),
    );
    await this.#searchAll(call, searches, drivers);
    const steps = rows.map((row, index) => stepOf(row, searches[index] as Search));
    const ended = await call.tryChange(END_STEPS, endStepsValues(steps), LOCK_WAIT_MS);
    const moved = new Set((ended as { id: string }[] | undefined)?.map(({ id }) => BigInt(id)));
    if (call.isChangeUnknown) return moved.size;
    for (const { tripId, found } of searches) if (!moved.has(tripId)) this.spare(tripId, found);
    return moved.size;
  }

  /** The driver has the trip; the others who were offered it are found for other trips again. */
  won(tripId: bigint, driverId: bigint, offeredTo: readonly bigint[]): void {
    this.#drivers?.markBusy(tripId, driverId).catch(ignore);
    this.released(
      tripId,
      offeredTo.filter((offeredId) => offeredId !== driverId),
    );
  }

  /** The trip is over for these drivers. */
  released(tripId: bigint, driverIds: readonly bigint[]): void {
    this.#drivers?.release(tripId, driverIds).catch(ignore);
  }

  /** The trip was not offered to these drivers. */
  spare(tripId: bigint, found: readonly ReservedDriver[]): void {
    this.#drivers?.giveBack(tripId, found).catch(ignore);
  }

  /** Fills `found` of each search, or sets `isUnavailable`. */
  async #searchAll(call: StoreCall, searches: readonly Search[], drivers: DriverPositions): Promise<void> {
    let open = searches.filter(({ roomLeft }) => roomLeft > 0);
    for (let round = 1; round <= REPAIR_MAX && open.length > 0; round += 1) {
      for (let first = 0; first < open.length; first += SEARCHES_AT_ONCE) {
        const group = open.slice(first, first + SEARCHES_AT_ONCE);
        await Promise.all(group.map((search) => this.#search(search, drivers)));
      }
      const foundIds = open.flatMap(({ found }) => idsOf(found));
      if (foundIds.length === 0) return;
      const busy = busyOf(await call.read(BUSY_DRIVERS, [idArray(foundIds)]));
      // Their marks were lost or have expired.
      for (const [driverId, tripId] of busy) drivers.markBusy(tripId, driverId).catch(ignore);
      open = open.filter((search) => dropBusy(search, busy));
    }
  }

  /** Extends the radius until a new driver is found. */
  async #search(search: Search, drivers: DriverPositions): Promise<void> {
    const { tripId, pickup, nearest, known, found, roomLeft } = search;
    const { radiiMeters, everyMs } = nearest;
    const last = Math.max(search.step, radiiMeters.length);
    try {
      for (let at = search.step; at <= last; at += 1) {
        const near = await drivers.reserveNearest(pickup, {
          radiusMeters: radiiMeters[Math.min(at, radiiMeters.length) - 1] ?? 1,
          countMax: roomLeft - found.length,
          tripId,
          except: new Set([...known, ...idsOf(found)]),
          forMs: everyMs,
        });
        found.push(...near);
        if (found.length === 0) continue;
        search.step = at;
        return;
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'DRIVER_POOL_UNAVAILABLE'))
        throw error;
      search.isUnavailable = found.length === 0;
      this.#observer.driversNotRanked?.({ tripId, error });
    }
  }
}

const ignore = () => undefined;

const idsOf = (found: readonly ReservedDriver[]) => found.map(({ driverId }) => driverId);

function searchOf({
  known,
  ...rest
}: Pick<Search, 'tripId' | 'pickup' | 'nearest' | 'step'> & { known: bigint[] }): Search {
  const roomLeft = Math.min(rest.nearest.batchSize, LISTED_DRIVERS_MAX - known.length);
  return { ...rest, known: new Set(known), roomLeft, found: [], isUnavailable: false };
}

/** Removes drivers who are on a trip; returns whether others should be found instead. */
function dropBusy(search: Search, busy: ReadonlyMap<bigint, bigint>): boolean {
  const foundCount = search.found.length;
  search.found = search.found.filter(({ driverId }) => {
    if (busy.has(driverId)) search.known.add(driverId);
    return !busy.has(driverId);
  });
  return search.found.length < foundCount;
}

/** A step that found no one is repeated. */
function nextStepOf({ found, step }: Search): number {
  return found.length === 0 ? step : step + 1;
}

function stepOf(row: StepRow, search: Search): EndedStep {
  const { tripId, found, known, isUnavailable } = search;
  const facts = { tripId, revision: row.revision, dueAt: row.due_at, isUnavailable };
  if (isUnavailable && row.is_fall_back_due && row.when_unavailable !== 'WAIT') {
    const listed = row.when_unavailable === 'LISTED' ? (row.listed_driver_ids ?? []).map(BigInt) : undefined;
    const driverIds = listed?.filter((driverId) => !known.has(driverId)) ?? null;
    return { ...facts, nextStep: row.next_step, driverIds };
  }
  return { ...facts, nextStep: nextStepOf(search), driverIds: idsOf(found) };
}
