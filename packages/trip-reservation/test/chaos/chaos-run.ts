import { Dice } from '@solegate/testkit';
import type { Pool } from 'pg';
import { Fleet } from './fleet.js';
import {
  type Answered,
  countViolations,
  INVARIANTS,
  type Invariant,
  readTransitions,
  recordTransitions,
  type ViolationCounts,
} from './history.js';
import { openTrip, probe } from './probes.js';
import type { ChaosFlowName } from './protocol.js';
import { faultSchedule } from './schedule.js';
import { openFailingPostgres, openSteadyPostgres } from './stores/postgres.js';
import { type ChaosRedisName, openChaosRedis } from './stores/redis.js';

const PROCESS_COUNT = 4;
/** Concurrent trips, and their drivers: few enough that drivers compete for two trips. */
const RIDER_COUNT = 6;
const DRIVER_IDS = Array.from({ length: 14 }, (_, index) => String(900_000 + index));
const EPOCH_MAX = 4;
/** Time within which everything that was paused has resumed, in milliseconds. */
const HEALING_MS = 2_000;

export interface ChaosOptions {
  readonly flow: ChaosFlowName;
  readonly seed: number;
  readonly durationMs: number;
  /** From 3; default 4. */
  readonly processCount?: number;
  /** Default: `single`. A `cluster` keeps moving slots. */
  readonly redis?: ChaosRedisName;
  /** `failing`: fails over to a standby halfway through. Default: `steady`. */
  readonly postgres?: 'steady' | 'failing';
  /** The server for `steady`. Default: the test run's own. */
  readonly postgresUrl?: string;
  /** Whether to test a lost decision, which takes ten seconds. */
  readonly watchesLostDecision: boolean;
}

export interface ChaosReport {
  readonly seed: number;
  readonly faultCount: number;
  readonly dispatchCount: number;
  readonly acceptedCount: number;
  /** Invariants violated at least once. */
  readonly violations: Partial<ViolationCounts>;
  readonly violationCount: number;
}

/** Runs riders, drivers and faults, then compares the answers with the stored data. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { flow, seed, durationMs, processCount = PROCESS_COUNT } = options;
  await using redis = await openChaosRedis[options.redis ?? 'single']();
  await using postgres =
    options.postgres === 'failing'
      ? await openFailingPostgres()
      : await openSteadyPostgres(options.postgresUrl);
  const { pool } = postgres;
  await pool.query(
    'CREATE TABLE control_trips (id bigint PRIMARY KEY, status text, driver_id bigint, epoch integer)',
  );
  await recordTransitions(pool, flow === 'control' ? 'control_trips' : 'trips');
  const stores = { databaseUrl: postgres.url, redisUrl: redis.url };
  const answered: Answered[] = [];
  const faults = faultSchedule({ seed, durationMs, processCount });
  {
    await using fleet = await Fleet.open({ flow, stores, redis, processCount });
    const timers = faults.map((fault) => setTimeout(() => fleet.strike(fault), fault.atMs));
    const endsAt = performance.now() + durationMs;
    const failOver = aMoment(durationMs / 2).then(() => postgres.failOver());
    const riders = Array.from({ length: RIDER_COUNT }, (_, index) =>
      new Rider({ flow, fleet, pool, answered, dice: new Dice(seed * 1000 + index), index }).ride(endsAt),
    );
    await Promise.all([...riders, failOver]);
    for (const timer of timers) clearTimeout(timer);
    await fleet.spareRedis();
    await aMoment(HEALING_MS);
    await fleet.whenReady();
    answered.push(...(await probe({ ...options, fleet, pool, answered })));
  }
  const counts = countViolations(answered, await readTransitions(pool));
  const broken = INVARIANTS.filter((name) => counts[name] > 0);
  return {
    seed,
    faultCount: faults.length,
    dispatchCount: new Set(answered.map(({ tripId, epoch }) => `${tripId}:${epoch}`)).size,
    acceptedCount: answered.filter((entry) => entry.answered === 'ACCEPTED').length,
    violations: Object.fromEntries(broken.map((name: Invariant) => [name, counts[name]])),
    violationCount: broken.reduce((sum, name) => sum + counts[name], 0),
  };
}

const aMoment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface RiderOptions {
  readonly flow: ChaosFlowName;
  readonly fleet: Fleet;
  readonly pool: Pool;
  readonly answered: Answered[];
  readonly dice: Dice;
  readonly index: number;
}

/**
 * Requests one trip after another, lets drivers compete for each, and ends it.
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
      await openTrip(pool, flow, tripId);
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
   * Drivers accept concurrently; sometimes the rider cancels meanwhile. Resolves with the winner.
   */
  async #dispatch(tripId: string, epoch: number): Promise<string | undefined> {
    const { dice } = this.#options;
    const drivers = dice.sample(DRIVER_IDS, dice.between(2, 6));
    const answers = drivers.map((driverId) => this.#accept(tripId, epoch, driverId));
    if (dice.happens(0.15)) void this.#insist({ verb: 'cancel', tripId, driverId: '1', epoch });
    const answered = await Promise.all(answers);
    return drivers[answered.indexOf('ACCEPTED')];
  }

  /** Retries on random processes until the driver has an answer, a few times at most. */
  async #accept(tripId: string, epoch: number, driverId: string): Promise<string> {
    const { fleet, dice, answered } = this.#options;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const answer = await fleet.ask(dice.between(0, fleet.size - 1), {
        verb: 'accept',
        tripId,
        driverId,
        epoch,
      });
      answered.push({ tripId, epoch, driverId, answered: answer });
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
