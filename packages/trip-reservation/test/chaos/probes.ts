import { until } from '@solegate/testkit';
import type { Pool } from 'pg';
import { createTripReservation } from '../../src/index.js';
import type { Fleet } from './fleet.js';
import { type Answered, DENIED_FOR_LONG, KEPT_OUT, LEFT_IN_SILENCE, NEVER_DECIDED } from './history.js';
import type { ChaosFlowName } from './protocol.js';

export interface ProbeOptions {
  readonly fleet: Fleet;
  readonly flow: ChaosFlowName;
  readonly pool: Pool;
  /** What drivers were answered so far. */
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

/** Until PostgreSQL takes it: it may just fail over. */
export async function openTrip(pool: Pool, flow: ChaosFlowName, tripId: string): Promise<void> {
  const text = OPEN_TRIP[flow === 'control' ? 'control_trips' : 'trips'];
  await until(() => pool.query(text, [tripId]).then(() => true), { timeoutMs: 60_000 });
}

/** With every fault over, an answer that takes long is that of a busy machine. */
const PATIENCE_MS = 5_000;

const aMoment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What drivers who need a certain situation meet, with every fault over. */
export async function probe(options: ProbeOptions): Promise<Answered[]> {
  const probes = [
    neverDecided(options),
    noted(KEPT_OUT, ['990001', '990002', '990003'], (tripId) => isKeptOut(options, tripId)),
  ];
  // The control knows no UNDECIDED, and keeps no trips that could be taken away from it.
  if (options.flow !== 'control') {
    probes.push(noted(NEVER_DECIDED, ['960001', '960002'], (tripId) => isNeverDecided(options, tripId)));
    probes.push(noted(LEFT_IN_SILENCE, ['980001', '980002'], (tripId) => isLeftInSilence(options, tripId)));
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

/** Drivers whose last answer was UNDECIDED ask again until they know, for two seconds at most. */
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

/** Lets the last process, which is asked for nothing else after the faults, take a hold of the trip that it never ends. */
async function holdByStalledProcess({ fleet, flow, pool }: ProbeOptions, tripId: string): Promise<void> {
  await openTrip(pool, flow, tripId);
  const stalled = { tripId, driverId: `${tripId}1`, epoch: 1 };
  // One that was just started again is there by then.
  const process = fleet.size - 1;
  await fleet.ask(process, { ...stalled, tripId: '1', verb: 'reject' }, PATIENCE_MS);
  await fleet.ask(process, { ...stalled, verb: 'stall' }, STALL_MS);
}

/** So long that the hold is there, and still is. */
const STALL_MS = 300;
const HOLD_MS = 800;

async function isNeverDecided(options: ProbeOptions, tripId: string): Promise<boolean> {
  await holdByStalledProcess(options, tripId);
  await aMoment(HOLD_MS - STALL_MS);
  return !(await isDecidedSoon(options.fleet, { tripId, driverId: `${tripId}2`, epoch: 1 }));
}

const TRIES_MAX = 3;
const PRESS_EVERY_MS = 40;

/** One who rejected the trip presses accept again and again, while another asks about once a second. */
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

/** A driver who heard UNDECIDED behind a hold that ended without a winner only watches the trip from then on. */
async function isLeftInSilence(options: ProbeOptions, tripId: string): Promise<boolean> {
  const { fleet, pool } = options;
  await holdByStalledProcess(options, tripId);
  const trips = createTripReservation({ database: pool });
  try {
    const watch = await trips.watchTrip({ tripId: BigInt(tripId) });
    const undecided = { tripId, driverId: `${tripId}2`, epoch: 1, verb: 'accept' } as const;
    if ((await fleet.ask(1, undecided, PATIENCE_MS)) !== 'UNDECIDED') return false;
    const silence = aMoment(HOLD_MS + HEARS_WITHIN_MS).then(() => true);
    return await Promise.race([watch.next().then(() => false), silence]);
  } finally {
    await trips.close();
  }
}

/** Redis may repeat a decision so long after PostgreSQL has lost it, plus what a busy machine needs. */
const DENIED_MS = 10_500;

/** PostgreSQL loses a decision that Redis knows; another driver asks until somebody verifies it. */
async function isDeniedForLong({ fleet, flow, pool }: ProbeOptions, tripId: string): Promise<boolean> {
  await openTrip(pool, flow, tripId);
  const accept = { tripId, epoch: 1, verb: 'accept' } as const;
  await until(async () => (await fleet.ask(0, { ...accept, driverId: `${tripId}1` })) === 'ACCEPTED', {
    timeoutMs: 10_000,
  });
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
