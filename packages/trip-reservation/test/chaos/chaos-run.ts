import { createTestDatabase, startRedisServer } from '@solegate/testkit';
import type { Pool } from 'pg';
import { migrations } from '../../src/index.js';
import { Dice } from './dice.js';
import { Fleet } from './fleet.js';
import {
  countViolations,
  KEPT_OUT,
  NEVER_DECIDED,
  readTransitions,
  recordTransitions,
  type Told,
  type ViolationCounts,
} from './history.js';
import type { ChaosFlowName } from './protocol.js';
import { faultSchedule } from './schedule.js';

const PROCESS_COUNT = 4;
/** Trips under way at once, and the drivers they compete for: few enough that drivers meet on two trips. */
const RIDER_COUNT = 6;
const DRIVER_IDS = Array.from({ length: 14 }, (_, index) => String(900_000 + index));
const EPOCH_MAX = 4;
/** Whatever was stopped goes on within it. */
const HEALING_MS = 2_000;
const DECIDED_WITHIN_MS = 2_000;

const OPEN_TRIP: Record<ChaosFlowName, string> = {
  solegate: `INSERT INTO trips (id, rider_id, status, epoch, revision, offer_ttl_ms, offer_rounds_left,
                                offer_expires_at, requested_at)
             VALUES ($1, $1, 'FINDING', 1, 1, 600000, 1, now() + interval '10 minutes', now())`,
  control: `INSERT INTO control_trips (id, status, epoch) VALUES ($1, 'FINDING', 1)`,
};

export interface ChaosOptions {
  readonly flow: ChaosFlowName;
  readonly seed: number;
  readonly durationMs: number;
  /** The PostgreSQL server to use; default: the one of the test run. */
  readonly postgresUrl?: string;
}

export interface ChaosReport {
  readonly seed: number;
  readonly faultCount: number;
  readonly dispatchCount: number;
  readonly acceptedCount: number;
  readonly violations: ViolationCounts;
  readonly violationCount: number;
}

/** Riders, drivers and faults for a while; then what was told against what is stored. */
export async function runChaos({ flow, seed, durationMs, postgresUrl }: ChaosOptions): Promise<ChaosReport> {
  await using redis = await startRedisServer({ persistence: 'none' });
  await using database = await createTestDatabase({
    migrations,
    ...(postgresUrl ? { serverUrl: postgresUrl } : {}),
  });
  await database.pool.query(
    'CREATE TABLE control_trips (id bigint PRIMARY KEY, status text, driver_id bigint, epoch integer)',
  );
  await recordTransitions(database.pool, flow === 'solegate' ? 'trips' : 'control_trips');
  const stores = { databaseUrl: database.url, redisUrl: redis.url };
  const told: Told[] = [];
  const faults = faultSchedule({ seed, durationMs, processCount: PROCESS_COUNT });
  {
    await using fleet = await Fleet.open({ flow, stores, redis, processCount: PROCESS_COUNT });
    const timers = faults.map((fault) => setTimeout(() => fleet.strike(fault), fault.atMs));
    const endsAt = performance.now() + durationMs;
    await Promise.all(
      Array.from({ length: RIDER_COUNT }, (_, index) =>
        new Rider({
          flow,
          fleet,
          pool: database.pool,
          told,
          dice: new Dice(seed * 1000 + index),
          index,
        }).ride(endsAt),
      ),
    );
    for (const timer of timers) clearTimeout(timer);
    await new Promise((resolve) => setTimeout(resolve, HEALING_MS));
    told.push(...(await neverDecided(fleet, told)));
    told.push(...(await keptOut({ fleet, flow, pool: database.pool })));
  }
  const violations = countViolations(told, await readTransitions(database.pool));
  return {
    seed,
    faultCount: faults.length,
    dispatchCount: new Set(told.map(({ tripId, epoch }) => `${tripId}:${epoch}`)).size,
    acceptedCount: told.filter((entry) => entry.told === 'ACCEPTED').length,
    violations,
    violationCount: Object.values(violations).reduce((sum, count) => sum + count, 0),
  };
}

/** Drivers whose last answer was UNDECIDED ask again until they know, for two seconds at most. */
async function neverDecided(fleet: Fleet, told: readonly Told[]): Promise<Told[]> {
  const last = new Map(told.map((entry) => [`${entry.tripId}:${entry.epoch}:${entry.driverId}`, entry]));
  const undecided = [...last.values()].filter((entry) => entry.told === 'UNDECIDED');
  const isAnswered = async ({ tripId, epoch, driverId }: Told) => {
    const endsAt = performance.now() + DECIDED_WITHIN_MS;
    while (performance.now() < endsAt) {
      const answer = await fleet.ask(0, { verb: 'accept', tripId, driverId, epoch });
      if (answer !== 'UNDECIDED' && answer !== 'TIMEOUT' && answer !== 'ERROR') return true;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return false;
  };
  const answers = await Promise.all(undecided.map(isAnswered));
  return undecided
    .filter((_, index) => answers[index] === false)
    .map((entry) => ({ ...entry, told: NEVER_DECIDED }));
}

/** Trips at which one who rejected presses accept again and again, while another asks once a second. */
const CONTESTED_TRIP_IDS = ['990001', '990002', '990003'];
const TRIES_MAX = 3;
const ASKS_MAX = 8;

async function keptOut({
  fleet,
  flow,
  pool,
}: Pick<RiderOptions, 'fleet' | 'flow' | 'pool'>): Promise<Told[]> {
  const isKeptOut = async (tripId: string) => {
    await pool.query(OPEN_TRIP[flow], [tripId]);
    const rejecting = { tripId, driverId: `${tripId}1`, epoch: 1 };
    while ((await fleet.ask(1, { ...rejecting, verb: 'reject' })) !== 'REJECTED') await aMoment(100);
    const presses = setInterval(() => void fleet.ask(1, { ...rejecting, verb: 'accept' }), 40);
    await aMoment(200);
    try {
      // An answer that did not come is no answer.
      let tryCount = 0;
      for (let ask = 0; ask < ASKS_MAX && tryCount < TRIES_MAX; ask += 1) {
        const answer = await fleet.ask(0, { tripId, driverId: `${tripId}2`, epoch: 1, verb: 'accept' });
        if (answer === 'ACCEPTED') return false;
        if (answer !== 'TIMEOUT') tryCount += 1;
        await aMoment(1000);
      }
      return tryCount >= TRIES_MAX;
    } finally {
      clearInterval(presses);
    }
  };
  const kept = await Promise.all(CONTESTED_TRIP_IDS.map(isKeptOut));
  return CONTESTED_TRIP_IDS.filter((_, index) => kept[index]).map((tripId) => ({
    tripId,
    epoch: 1,
    driverId: `${tripId}2`,
    told: KEPT_OUT,
  }));
}

const aMoment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface RiderOptions {
  readonly flow: ChaosFlowName;
  readonly fleet: Fleet;
  readonly pool: Pool;
  readonly told: Told[];
  readonly dice: Dice;
  readonly index: number;
}

/**
 * One rider after the other: asks for a trip, lets drivers compete for it, and ends it in one way or another.
 */
class Rider {
  readonly #options: RiderOptions;
  #tripCount = 0;

  constructor(options: RiderOptions) {
    this.#options = options;
  }

  async ride(endsAt: number): Promise<void> {
    const { pool, flow, index, dice } = this.#options;
    while (performance.now() < endsAt) {
      this.#tripCount += 1;
      const tripId = String((index + 1) * 100_000 + this.#tripCount);
      await pool.query(OPEN_TRIP[flow], [tripId]);
      for (let epoch = 1; epoch <= EPOCH_MAX && performance.now() < endsAt; epoch += 1) {
        const winner = await this.#dispatch(tripId, epoch);
        const next =
          winner === undefined ? 'cancel' : dice.pick(['complete', 'complete', 'leave', 'cancel'] as const);
        await this.#insist({ verb: next, tripId, driverId: winner ?? '1', epoch });
        if (next !== 'leave') break;
      }
    }
  }

  /**
   * Drivers accept at the same time; sometimes the rider cancels meanwhile. Resolves with who was told yes.
   */
  async #dispatch(tripId: string, epoch: number): Promise<string | undefined> {
    const { dice } = this.#options;
    const drivers = dice.sample(DRIVER_IDS, dice.between(2, 6));
    const answers = drivers.map((driverId) => this.#accept(tripId, epoch, driverId));
    if (dice.happens(0.15)) void this.#insist({ verb: 'cancel', tripId, driverId: '1', epoch });
    const told = await Promise.all(answers);
    return drivers[told.indexOf('ACCEPTED')];
  }

  /** A driver asks until he knows, each time another process, for a few times at most. */
  async #accept(tripId: string, epoch: number, driverId: string): Promise<string> {
    const { fleet, dice, told } = this.#options;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const answer = await fleet.ask(dice.between(0, fleet.size - 1), {
        verb: 'accept',
        tripId,
        driverId,
        epoch,
      });
      told.push({ tripId, epoch, driverId, told: answer });
      if (answer !== 'TIMEOUT' && answer !== 'ERROR' && answer !== 'UNDECIDED') return answer;
      await new Promise((resolve) => setTimeout(resolve, dice.between(5, 60)));
    }
    return 'UNKNOWN';
  }

  async #insist(question: {
    verb: 'complete' | 'leave' | 'cancel';
    tripId: string;
    driverId: string;
    epoch: number;
  }) {
    const { fleet, dice } = this.#options;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const answer = await fleet.ask(dice.between(0, fleet.size - 1), question);
      if (answer !== 'TIMEOUT' && answer !== 'ERROR') return;
    }
  }
}
