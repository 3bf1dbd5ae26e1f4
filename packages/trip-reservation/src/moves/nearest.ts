/**
 * Offers that reach the nearest free drivers first, and then more of them.
 *
 * Authority. The row of the trip lists the drivers of an offer, and `driver_active` says who is free. Positions are a
 * hint from Redis. The progress of an offer is in `trip_nearest`, so any process can continue it.
 *
 * Steps. A sweep takes due steps in one statement, which postpones them (`LEASE_MS`): if the process dies, the next
 * sweep takes them again. It searches for each trip (nearest-search.ts); the search reserves the drivers for one step, so
 * that riders at one place get different drivers, and no driver gets more than one new nearest offer within a step. One
 * statement ends all steps. It skips trips whose rows are locked, so none waits for another. While a trip is driven, sweeps
 * postpone its step; a driver who leaves makes it due.
 *
 * A driver who was offered the trip is in its list and is skipped from then on: no one is offered it twice in an epoch.
 *
 * Failures. If positions are unavailable, the offer reaches no one yet, the step is repeated within a second, and after
 * two seconds `whenUnavailable` applies. A reservation of drivers whose trip did not get them is removed, or expires; one
 * that another sweep has made since, or that the trip may have got without an answer, stays.
 */
import type { ReservedDriver } from '../driver-pool/pool-commands.js';
import type { StoreCall } from '../sql/database.js';
import { InvalidRequestError } from '../trip/errors.js';
import type { TripObserver } from '../trip/observer.js';
import type { NearestOffer, Place } from '../trip/trip.js';
import { type DriverPositions, idsOf, type Search, SearchPass, searchOf } from './nearest-search.js';
import {
  END_STEPS,
  type EndedRow,
  type EndedStep,
  endStepsValues,
  type StepRow,
  TAKE_STEPS,
} from './nearest-steps.js';

/** Maximum number of steps taken together: their searches end long before their lease. */
const TAKEN_MAX = 50;
/** Maximum lock wait of the statement that ends the steps, in milliseconds. */
const LOCK_WAIT_MS = 20;

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
    request: { tripId: bigint; pickup?: Place; nearest?: NearestOffer; offerAt?: Date; offerTtlMs: number },
  ): Promise<FirstDrivers | undefined> {
    const { tripId, pickup, nearest, offerAt, offerTtlMs } = request;
    if (pickup === undefined || nearest === undefined) return undefined;
    if (this.#drivers === undefined) {
      throw new InvalidRequestError('nearest', 'needs "drivers" in the options of createTripReservation');
    }
    const search = searchOf({ tripId, pickup, nearest, step: 1, known: [], offerLeftMs: offerTtlMs });
    if (offerAt === undefined) await new SearchPass(call, this.#drivers, this.#observer).run([search]);
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
        offerLeftMs: row.offer_left_ms,
      }),
    );
    await new SearchPass(call, drivers, this.#observer).run(searches);
    const steps = rows.map((row, index) => stepOf(row, searches[index] as Search));
    const ended = await call.tryChange(END_STEPS, endStepsValues(steps), LOCK_WAIT_MS);
    const rowsById = new Map((ended as EndedRow[] | undefined)?.map((row) => [BigInt(row.id), row]));
    const movedCount = [...rowsById.values()].filter(({ is_moved: isMoved }) => isMoved).length;
    if (call.isChangeUnknown) return movedCount;
    for (const { tripId, found } of searches) {
      const row = rowsById.get(tripId);
      // Of a trip that was skipped it is not known whom another sweep is offering it to.
      if (row === undefined || row.is_moved) continue;
      const offeredIds = new Set(row.offered_driver_ids);
      this.spare(
        tripId,
        found.filter(({ driverId }) => !offeredIds.has(String(driverId))),
      );
    }
    return movedCount;
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
}

const ignore = () => undefined;

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
