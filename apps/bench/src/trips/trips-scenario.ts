import { createTripReservation, migrations } from '@solegate/trip-reservation';
import pg from 'pg';
import { LatencyHistogram } from '../measuring/latency.js';
import type { RunRecord } from '../measuring/recorder.js';
import type { Experiment, Metrics } from '../measuring/result.js';
import { type CrewPlan, runCrewPlan, sum } from '../running/crew-plan.js';
import { CrewPool } from '../running/crew-pool.js';
import type { ScenarioContext } from '../running/scenario.js';
import { CREATE_BASELINE_TRIPS } from './baseline-trips.js';
import { type TripPlan, tripPlans } from './trip-plans.js';
import type { TripFacts, TripTold } from './trips-request.js';
import { type StoredTrip, verifyTrips } from './verify-trips.js';

/** Drivers compete for trips: one trip and a crowd, many trips and some drivers each. */
export async function runTrips(context: ScenarioContext): Promise<Experiment[]> {
  const { settings, stores } = context;
  const databaseUrl = await stores.createDatabase('bench_trips');
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  await using crews = new CrewPool({
    family: 'trips',
    setup: {
      databaseUrl,
      redisUrl: stores.redisUrl,
      seed: settings.seed,
      facts: {},
      sabotaged: settings.sabotage.has('trips'),
    },
  });
  try {
    for (const { sql } of migrations) await pool.query(sql);
    await pool.query(CREATE_BASELINE_TRIPS);
    const experiments: Experiment[] = [];
    for (const plan of tripPlans(settings)) {
      const crewPlan = crewPlanOf(plan, { pool, crews, repeatCount: settings.repeatCount });
      experiments.push(await runCrewPlan(crewPlan, context.random, context.progress));
    }
    return experiments;
  } finally {
    await pool.end();
  }
}

/** Trips and drivers of different runs have nothing in common: a driver of the last run would be busy in this one. */
const IDS_PER_RUN = 1_000_000;
let runCount = 0;

function crewPlanOf(
  plan: TripPlan,
  { pool, crews, repeatCount }: { pool: pg.Pool; crews: CrewPool; repeatCount: number },
): CrewPlan {
  const { tripCount, driversPerTrip, inFlight } = plan;
  const load = { kind: 'list', inFlight, count: tripCount * driversPerTrip } as const;
  return {
    ...plan,
    parallel: inFlight,
    scenario: 'trips',
    lead:
      tripCount === 1
        ? { metric: 'perSecond', unit: 'requests/s', better: 'more' }
        : { metric: 'acceptsPerSecond', unit: 'accepts/s', better: 'more' },
    load,
    warmUp: load,
    repeatCount,
    crew: ({ name }) => crews.get(name, plan.processes),
    prepare: async ({ name }) => {
      runCount += 1;
      const facts: TripFacts = {
        firstTripId: runCount * IDS_PER_RUN,
        firstDriverId: runCount * IDS_PER_RUN,
        tripCount,
        driversPerTrip,
        driverPool: plan.driverPool,
      };
      await createTrips(pool, name, facts);
      return facts;
    },
    verify: async ({ subject, facts }, records) => {
      const told = records.flatMap((record) => record.told as readonly TripTold[]);
      const isOurs = subject.name.startsWith('solegate');
      const stored = await readTrips(pool, isOurs ? 'trips' : 'baseline_trips', Number(facts.firstTripId));
      const failedCount = sum(
        records.flatMap((record) => Object.values(record.failures).map(({ count }) => count)),
      );
      const violations = verifyTrips({ told, failedCount, stored, onePerDriver: isOurs });
      return { violations, verifiedCount: told.length };
    },
    metrics: tripMetrics,
  };
}

async function createTrips(pool: pg.Pool, subject: string, facts: TripFacts): Promise<void> {
  const ids = Array.from({ length: facts.tripCount }, (_, index) => facts.firstTripId + index);
  if (!subject.startsWith('solegate')) {
    await pool.query('INSERT INTO baseline_trips (id) SELECT unnest($1::bigint[])', [ids]);
    return;
  }
  const reservation = createTripReservation({ database: pool });
  await Promise.all(
    ids.map((id) =>
      reservation.requestTrip({ tripId: BigInt(id), riderId: BigInt(id), offerTtlMs: OFFER_TTL_MS }),
    ),
  );
  await reservation.close();
}

/** Longer than any run: an offer that ends under load would be another experiment. */
const OFFER_TTL_MS = 600_000;

async function readTrips(pool: pg.Pool, table: string, firstTripId: number): Promise<StoredTrip[]> {
  const { rows } = await pool.query<{ id: string; driver_id: string | null }>(
    `SELECT id, driver_id FROM ${table} WHERE id >= $1 AND id < $1 + ${IDS_PER_RUN}`,
    [firstTripId],
  );
  return rows.map((row) => ({
    trip: Number(row.id),
    driver: row.driver_id === null ? undefined : Number(row.driver_id),
  }));
}

/** Accepts a second, the winners' own latency, and what PostgreSQL was asked. */
function tripMetrics(records: readonly RunRecord[]): Metrics {
  const winner = LatencyHistogram.merged(records.flatMap((record) => record.latencies.won ?? [])).summary();
  const loser = LatencyHistogram.merged(
    records.flatMap((record) => [record.latencies.lost ?? [], record.latencies.behind ?? []].flat()),
  ).summary();
  const spans = new Map<number, number>();
  for (const { startedMs, endedMs } of records) {
    spans.set(startedMs, Math.max(spans.get(startedMs) ?? 0, endedMs - startedMs));
  }
  const spanMs = sum([...spans.values()]);
  const sqlCount = sum(records.map((record) => record.counts.sqlCount ?? 0));
  return {
    acceptsPerSecond: (winner.count * 1000) / Math.max(1, spanMs),
    winnerP50Ms: winner.p50Ms,
    winnerP99Ms: winner.p99Ms,
    loserP50Ms: loser.p50Ms,
    loserP99Ms: loser.p99Ms,
    sqlPerAccept: sqlCount / Math.max(1, winner.count),
    sqlPerLoser: Math.max(0, sqlCount - winner.count) / Math.max(1, loser.count),
  };
}
