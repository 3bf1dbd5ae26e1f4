import type pg from 'pg';
import { latencySummary } from '../measuring/latency.js';
import type { RunRecord } from '../measuring/recorder.js';
import type { Experiment, Metrics } from '../measuring/result.js';
import { spanMsOf, sum } from '../measuring/run-metrics.js';
import { type CrewPlan, runCrewPlan } from '../running/crew-plan.js';
import { CrewPool } from '../running/crew-pool.js';
import { openPool } from '../running/database-pool.js';
import { hasOwnShape, isChosen } from '../running/run-settings.js';
import type { ScenarioContext } from '../running/scenario.js';
import { runCrowdedSearch } from './crowded-search.js';
import { migrateTrips, prepareTrips, readTrips } from './stored-trips.js';
import { type TripPlan, tripPlans } from './trip-plans.js';
import { tripsVerdict } from './verify-trips.js';

/** Drivers compete for trips: one trip and a crowd, many trips and some drivers each. */
export async function runTrips(context: ScenarioContext): Promise<Experiment[]> {
  const { settings, stores } = context;
  const databaseUrl = await stores.createDatabase('bench_trips');
  await using pool = openPool(databaseUrl, 4);
  await using crews = new CrewPool(settings, {
    scenario: 'trips',
    subjects: new URL('./subjects.js', import.meta.url),
    databaseUrl,
    redisUrl: stores.redisUrl,
  });
  await migrateTrips(pool);
  const experiments: Experiment[] = [];
  for (const plan of tripPlans(settings).filter(({ id }) => isChosen(settings, id))) {
    const crewPlan = crewPlanOf(plan, { pool, crews, repeatCount: settings.repeatCount });
    experiments.push(await runCrewPlan(crewPlan, context));
  }
  const isSearch = !hasOwnShape(settings) && isChosen(settings, 'trips.search');
  return isSearch ? [...experiments, await runCrowdedSearch(context)] : experiments;
}

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
    repeatCount,
    crew: ({ name }) => crews.get(name, plan.processes),
    prepare: ({ name }, _round, load) =>
      prepareTrips(pool, name, {
        tripCount: load.kind === 'list' ? Math.ceil(load.count / driversPerTrip) : tripCount,
        driversPerTrip,
        driverPool: plan.driverPool,
      }),
    verify: async ({ subject, facts }, records) => {
      const isOurs = subject.name.startsWith('solegate');
      const stored = await readTrips(pool, isOurs ? 'trips' : 'baseline_trips', Number(facts.firstTripId));
      const onePerDriver = isOurs || subject.name === 'same promises by hand';
      return tripsVerdict(records, { stored, onePerDriver });
    },
    metrics: tripMetrics,
  };
}

/** Accepts per second, the winners' latency, and the number of statements. */
function tripMetrics(records: readonly RunRecord[]): Metrics {
  const winner = latencySummary(records.flatMap(({ latencies: { won = [] } }) => won));
  const loser = latencySummary(
    records.flatMap(({ latencies: { lost = [], behind = [] } }) => [...lost, ...behind]),
  );
  const spanMs = spanMsOf(records);
  const sqlCount = sum(records.map((record) => record.counts.sqlCount ?? 0));
  const positionCount = sum(records.map((record) => record.counts.positionCount ?? 0));
  return {
    acceptsPerSecond: (winner.count * 1000) / Math.max(1, spanMs),
    winnerP50Ms: winner.p50Ms,
    winnerP99Ms: winner.p99Ms,
    loserP50Ms: loser.p50Ms,
    loserP99Ms: loser.p99Ms,
    positionsPerSecond: (positionCount * 1000) / Math.max(1, spanMs),
    sqlPerAccept: sqlCount / Math.max(1, winner.count),
    sqlPerLoser: Math.max(0, sqlCount - winner.count) / Math.max(1, loser.count),
  };
}
