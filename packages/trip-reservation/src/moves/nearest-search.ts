/**
 * The searches of one call for the nearest free drivers of its trips.
 *
 * Each extends its radius until it finds a new driver. One statement checks who of those found is on a trip; they are
 * marked, and the searches continue without them, for more drivers each time. Those left over are given back.
 *
 * Failures. All searches end about a second before their call, so that the statement that follows has its time. Once one
 * has failed, those that have not begun fail too, without another wait. Drivers of a later reply stay reserved until that
 * expires: another sweep might have offered them the trip since.
 */
import { type Deadline, settleBy } from '@solegate/postgres-infra';
import type { DriverPool, ReserveOptions } from '../driver-pool/driver-pool.js';
import type { ReservedDriver } from '../driver-pool/pool-commands.js';
import { BUSY_DRIVERS, busyOf } from '../sql/busy.js';
import type { StoreCall } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { DriverPoolUnavailableError } from '../trip/errors.js';
import { FOUND_DRIVERS_MAX, LISTED_DRIVERS_MAX } from '../trip/input.js';
import type { TripObserver } from '../trip/observer.js';
import type { NearestOffer, Place } from '../trip/trip.js';

/** How often a search is repeated because the drivers it found turned out to be on a trip. */
const REPAIR_MAX = 3;
/** How many times more drivers each repetition looks for: among those nearby, many might have lost their marks. */
const REPAIR_GROWTH = 4;
/** Searches in progress at a time: Redis serves other callers between them. */
const SEARCHES_AT_ONCE = 4;
/** What the searches leave of their call for the statement that follows, in milliseconds; at most half of it. */
const STATEMENT_MS = 1000;

/** What this package uses of a driver pool. */
export type DriverPositions = Pick<DriverPool, 'reserveNearest' | 'markBusy' | 'release' | 'giveBack'>;

export interface Search {
  readonly tripId: bigint;
  readonly pickup: Place;
  readonly nearest: NearestOffer;
  /** From 1. */
  step: number;
  /** Drivers to leave out: those of the offer, those who left, and those who turned out to be busy. */
  readonly known: Set<bigint>;
  readonly roomLeft: number;
  /** How long drivers are reserved, in milliseconds: for one step, and no longer than the offer lasts. */
  readonly forMs: number;
  found: ReservedDriver[];
  isUnavailable: boolean;
}

/** @param offerLeftMs how long the offer still lasts, in milliseconds */
export function searchOf({
  known,
  offerLeftMs,
  ...rest
}: Pick<Search, 'tripId' | 'pickup' | 'nearest' | 'step'> & {
  known: bigint[];
  offerLeftMs: number;
}): Search {
  const roomLeft = Math.min(rest.nearest.batchSize, LISTED_DRIVERS_MAX - known.length);
  const forMs = Math.min(rest.nearest.everyMs, offerLeftMs);
  return { ...rest, known: new Set(known), roomLeft, forMs, found: [], isUnavailable: false };
}

export const idsOf = (found: readonly ReservedDriver[]) => found.map(({ driverId }) => driverId);

export class SearchPass {
  readonly #call: StoreCall;
  readonly #drivers: DriverPositions;
  readonly #observer: TripObserver;
  readonly #deadline: Deadline;
  /** Why positions are unavailable, once a search has failed. */
  #failure: Error | undefined;

  constructor(call: StoreCall, drivers: DriverPositions, observer: TripObserver) {
    this.#call = call;
    this.#drivers = drivers;
    this.#observer = observer;
    const { leftMs } = call.deadline;
    this.#deadline = call.deadline.atMost(leftMs - Math.min(STATEMENT_MS, leftMs / 2));
  }

  /** Fills `found` of each search, or sets `isUnavailable`. */
  async run(searches: readonly Search[]): Promise<void> {
    let open = searches.filter(({ roomLeft }) => roomLeft > 0);
    for (let round = 1; round <= REPAIR_MAX && open.length > 0; round += 1) {
      for (let first = 0; first < open.length; first += SEARCHES_AT_ONCE) {
        const group = open.slice(first, first + SEARCHES_AT_ONCE);
        await Promise.all(group.map((search) => this.#search(search, REPAIR_GROWTH ** (round - 1))));
      }
      const foundIds = open.flatMap(({ found }) => idsOf(found));
      if (foundIds.length === 0) break;
      const busy = busyOf(await this.#call.read(BUSY_DRIVERS, [idArray(foundIds)]));
      // Their marks were lost or have expired.
      for (const [driverId, tripId] of busy) this.#drivers.markBusy(tripId, driverId).catch(ignore);
      open = open.filter((search) => dropBusy(search, busy));
    }
    for (const { tripId, found, roomLeft } of searches) {
      this.#drivers.giveBack(tripId, found.splice(Math.max(0, roomLeft))).catch(ignore);
    }
  }

  /** Extends the radius until a new driver is found. @param times looks for so many times the drivers that are missing */
  async #search(search: Search, times: number): Promise<void> {
    const { tripId, nearest, known, found, roomLeft, forMs } = search;
    const { radiiMeters } = nearest;
    const last = Math.max(search.step, radiiMeters.length);
    try {
      for (let at = search.step; at <= last; at += 1) {
        const near = await this.#reserve(search.pickup, {
          radiusMeters: radiiMeters[Math.min(at, radiiMeters.length) - 1] ?? 1,
          countMax: Math.min(FOUND_DRIVERS_MAX, times * (roomLeft - found.length)),
          tripId,
          except: new Set([...known, ...idsOf(found)]),
          forMs,
        });
        found.push(...near);
        if (found.length === 0) continue;
        search.step = at;
        return;
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'DRIVER_POOL_UNAVAILABLE'))
        throw error;
      this.#failure = error;
      search.isUnavailable = found.length === 0;
      this.#observer.driversNotRanked?.({ tripId, error });
    }
  }

  async #reserve(pickup: Place, options: ReserveOptions): Promise<readonly ReservedDriver[]> {
    if (this.#failure) throw this.#failure;
    const late = () => new DriverPoolUnavailableError('the search did not end in the time of its call');
    return settleBy(this.#drivers.reserveNearest(pickup, options), this.#deadline, late);
  }
}

const ignore = () => undefined;

/** Removes drivers who are on a trip; returns whether others should be found instead. */
function dropBusy(search: Search, busy: ReadonlyMap<bigint, bigint>): boolean {
  const foundCount = Math.min(search.found.length, search.roomLeft);
  search.found = search.found.filter(({ driverId }) => {
    if (busy.has(driverId)) search.known.add(driverId);
    return !busy.has(driverId);
  });
  return search.found.length < foundCount;
}
