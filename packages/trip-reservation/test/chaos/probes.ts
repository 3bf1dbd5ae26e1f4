import { until } from '@solegate/testkit';
import type { Pool } from 'pg';
import { createTripReservation } from '../../src/index.js';
import type { Fleet } from './fleet.js';
import {
  type Answered,
  DENIED_FOR_LONG,
  KEPT_OUT,
  LEFT_IN_SILENCE,
  NEVER_DECIDED,
  OFFERED_BUSY,
  WON_EXPIRED,
} from './history.js';
import type { ChaosFlowName } from './protocol.js';

export interface ProbeOptions {
  readonly fleet: Fleet;
  readonly flow: ChaosFlowName;
  readonly pool: Pool;
  /** The answers so far. */
  readonly answered: readonly Answered[];
  readonly watchesLostDecision: boolean;
}

const OPEN_TRIP: Record<'trips' | 'control_trips', string> = {
  trips: `INSERT INTO trips (id, rider_id, status, epoch, revision, offer_ttl_ms, offer_rounds_left,
                             offer_expires_at, requested_at)
          VALUES ($1, $1, 'FINDING', 1, 1, 600000, 1, now() + interval '10 minutes', now())
          ON CONFLICT DO NOTHING`,
  control_trips: `INSERT INTO control_trips (id, status, epoch) VALUES ($1, 'FINDING', 1) ON CONFLICT DO NOTHING`,
};

const LOSE_DECISION = `
  WITH freed AS (DELETE FROM driver_active WHERE trip_id = $1)
  UPDATE trips SET status = 'FINDING', driver_id = NULL, accepted_at = NULL WHERE id = $1`;

/** Retries while PostgreSQL fails over. */
export async function openTrip(pool: Pool, flow: ChaosFlowName, tripId: string): Promise<void> {
  const text = OPEN_TRIP[flow === 'control' ? 'control_trips' : 'trips'];
  await until(() => pool.query(text, [tripId]).then(() => true));
}

/** After all faults have ended, only a busy machine answers slowly. */
const PATIENCE_MS = 5_000;

const aMoment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Tests specific situations after all faults have ended. */
export async function probe(options: ProbeOptions): Promise<Answered[]> {
  const probes = [
    neverDecided(options),
    noted(KEPT_OUT, ['990001', '990002', '990003'], (tripId) => isKeptOut(options, tripId)),
  ];
  // The control has no UNDECIDED and stores no trips of the package.
  if (options.flow !== 'control') {
    probes.push(noted(NEVER_DECIDED, ['960001', '960002'], (tripId) => isNeverDecided(options, tripId)));
    probes.push(noted(LEFT_IN_SILENCE, ['980001', '980002'], (tripId) => isLeftInSilence(options, tripId)));
    probes.push(noted(WON_EXPIRED, ['950001', '950002'], (tripId) => isWonAfterExpiry(options, tripId)));
    probes.push(noted(OFFERED_BUSY, ['940001', '940002'], (tripId) => isOfferedWhileBusy(options, tripId)));
    if (options.watchesLostDecision) {
      probes.push(noted(DENIED_FOR_LONG, ['970001'], (tripId) => isDeniedForLong(options, tripId)));
    }
  }
  return (await Promise.all(probes)).flat();
}

async function noted(
  note: string,
  tripIds: readonly string[],
  isViolation: (tripId: string) => Promise<boolean>,
): Promise<Answered[]> {
  const found = await Promise.all(tripIds.map(isViolation));
  return tripIds
    .filter((_, index) => found[index])
    .map((tripId) => ({ tripId, epoch: 1, driverId: `${tripId}2`, answered: note }));
}

const DECIDED_WITHIN_MS = 2_000;

/** Drivers whose last answer was UNDECIDED retry for up to two seconds. */
async function neverDecided({ fleet, answered }: ProbeOptions): Promise<Answered[]> {
  const last = new Map(answered.map((entry) => [`${entry.tripId}:${entry.epoch}:${entry.driverId}`, entry]));
  const undecided = [...last.values()].filter((entry) => entry.answered === 'UNDECIDED');
  const answers = await Promise.all(undecided.map((entry) => isDecidedSoon(fleet, entry)));
  return undecided
    .filter((_, index) => answers[index] === false)
    .map((entry) => ({ ...entry, answered: NEVER_DECIDED }));
}

async function isDecidedSoon(
  fleet: Fleet,
  { tripId, driverId, epoch }: Pick<Answered, 'tripId' | 'driverId' | 'epoch'>,
): Promise<boolean> {
  const endsAt = performance.now() + DECIDED_WITHIN_MS;
  while (performance.now() < endsAt) {
    const answer = await fleet.ask(0, { verb: 'accept', tripId, driverId, epoch }, PATIENCE_MS);
    if (answer !== 'UNDECIDED' && answer !== 'TIMEOUT' && answer !== 'ERROR') return true;
    await aMoment(100);
  }
  return false;
}

/** Makes the last process, which serves no other calls after the faults, acquire a hold and never decide. */
async function holdByStalledProcess({ fleet, flow, pool }: ProbeOptions, tripId: string): Promise<void> {
  await openTrip(pool, flow, tripId);
  const stalled = { tripId, driverId: `${tripId}1`, epoch: 1 };
  // A process that was just restarted is ready by then.
  const process = fleet.size - 1;
  await fleet.ask(process, { ...stalled, tripId: '1', verb: 'reject' }, PATIENCE_MS);
  await fleet.ask(process, { ...stalled, verb: 'stall' }, STALL_MS);
}

/** Long enough for the hold to exist, and shorter than its life. */
const STALL_MS = 300;
const HOLD_MS = 800;

async function isNeverDecided(options: ProbeOptions, tripId: string): Promise<boolean> {
  await holdByStalledProcess(options, tripId);
  await aMoment(HOLD_MS - STALL_MS);
  return !(await isDecidedSoon(options.fleet, { tripId, driverId: `${tripId}2`, epoch: 1 }));
}

const TRIES_MAX = 3;
const PRESS_EVERY_MS = 40;

/** A driver who rejected the trip keeps retrying while another tries about once a second. */
async function isKeptOut({ fleet, flow, pool }: ProbeOptions, tripId: string): Promise<boolean> {
  await openTrip(pool, flow, tripId);
  const rejecting = { tripId, driverId: `${tripId}1`, epoch: 1 };
  const press = () => fleet.ask(1, { ...rejecting, verb: 'accept' }, PATIENCE_MS);
  while ((await fleet.ask(1, { ...rejecting, verb: 'reject' }, PATIENCE_MS)) !== 'REJECTED')
    await aMoment(100);
  const presses = setInterval(() => void press(), PRESS_EVERY_MS);
  try {
    for (let tryCount = 0; tryCount < TRIES_MAX; tryCount += 1) {
      await aMoment(1000);
      await press();
      const eligible = { tripId, driverId: `${tripId}2`, epoch: 1, verb: 'accept' } as const;
      if ((await fleet.ask(0, eligible, PATIENCE_MS)) === 'ACCEPTED') return false;
    }
    return true;
  } finally {
    clearInterval(presses);
  }
}

const HEARS_WITHIN_MS = 2_000;

/** After UNDECIDED behind a hold that ends without a winner, the driver only watches the trip. */
async function isLeftInSilence(options: ProbeOptions, tripId: string): Promise<boolean> {
  const { fleet, pool } = options;
  await holdByStalledProcess(options, tripId);
  const trips = createTripReservation({ database: pool });
  try {
    const undecided = { tripId, driverId: `${tripId}2`, epoch: 1, verb: 'accept' } as const;
    if ((await fleet.ask(1, undecided, PATIENCE_MS)) !== 'UNDECIDED') return false;
    // From the revision in UNDECIDED, so events from before the watch are included.
    const watch = await trips.watchTrip({ tripId: BigInt(tripId), afterRevision: 1 });
    const silence = aMoment(HOLD_MS + HEARS_WITHIN_MS).then(() => true);
    return await Promise.race([watch.next().then(() => false), silence]);
  } finally {
    await trips.close();
  }
}

const OFFER_MS = 900;
/** Shorter than one lock wait, so the accept is waiting when the offer ends. */
const BEFORE_END_MS = 200;

/** Another session locks the trip until its offer has expired; one driver accepts before that, another after. */
async function isWonAfterExpiry({ fleet, flow, pool }: ProbeOptions, tripId: string): Promise<boolean> {
  await openTrip(pool, flow, tripId);
  await pool.query(
    `UPDATE trips SET offer_expires_at = clock_timestamp() + $2 * interval '1 millisecond' WHERE id = $1`,
    [tripId, OFFER_MS],
  );
  const stranger = await pool.connect();
  try {
    await stranger.query('BEGIN');
    await stranger.query('SELECT FROM trips WHERE id = $1 FOR UPDATE', [tripId]);
    const accept = (driver: number) =>
      fleet.ask(
        driver - 1,
        { tripId, driverId: `${tripId}${driver}`, epoch: 1, verb: 'accept' },
        PATIENCE_MS,
      );
    await aMoment(OFFER_MS - BEFORE_END_MS);
    const early = accept(1);
    await aMoment(BEFORE_END_MS + 20);
    const late = accept(2);
    await stranger.query('ROLLBACK');
    return [await early, await late].includes('ACCEPTED');
  } finally {
    stranger.release();
  }
}

/**
 * A driver takes a trip at one process; another process offers the next trip at their place, where another driver is free.
 * The reply of a search can be late: its drivers stay reserved for the trip, and a sweep offers it to them.
 */
async function isOfferedWhileBusy({ fleet, flow, pool }: ProbeOptions, tripId: string): Promise<boolean> {
  await openTrip(pool, flow, tripId);
  const [onTrip, free] = [`${tripId}1`, `${tripId}2`];
  const driver = { driverId: onTrip, epoch: 1 };
  await until(async () => (await fleet.ask(0, { ...driver, tripId, verb: 'accept' })) === 'ACCEPTED');
  const next = { ...driver, tripId: `${tripId}0`, verb: 'near' } as const;
  let answer = '';
  const isOffered = async () => {
    answer = await fleet.ask(1, next, PATIENCE_MS);
    return answer.includes(onTrip) || answer.includes(free);
  };
  await until(isOffered, { intervalMs: 500, what: `An offer of trip ${next.tripId}` });
  return answer.includes(onTrip);
}

/** How long Redis may show a lost decision, plus an allowance for a busy machine. */
const DENIED_MS = 10_500;

/** PostgreSQL loses a decision that Redis still shows; another driver retries until it is verified. */
async function isDeniedForLong({ fleet, flow, pool }: ProbeOptions, tripId: string): Promise<boolean> {
  await openTrip(pool, flow, tripId);
  const accept = { tripId, epoch: 1, verb: 'accept' } as const;
  await until(async () => (await fleet.ask(0, { ...accept, driverId: `${tripId}1` })) === 'ACCEPTED');
  await pool.query(LOSE_DECISION, [tripId]);
  const lostAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    const answer = await fleet.ask(1, { ...accept, driverId: `${tripId}2` }, PATIENCE_MS);
    if (answer === 'ACCEPTED') return false;
    if (askedAt > lostAt + DENIED_MS) return true;
    await aMoment(500);
  }
}
