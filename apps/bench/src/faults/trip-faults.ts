import type { Load } from '../measuring/load.js';
import type { Experiment } from '../measuring/result.js';
import { CrewPool } from '../running/crew-pool.js';
import { openPool } from '../running/database-pool.js';
import type { ScenarioContext } from '../running/scenario.js';
import { migrateTrips, prepareTrips, readTrips } from '../trips/stored-trips.js';
import { tripsVerdict } from '../trips/verify-trips.js';
import { runFaultPlan } from './fault-plan.js';
import { openBreakableRedis } from './redis-faults.js';

const DRIVERS_PER_TRIP = 20;

/** Twenty drivers for each trip, one trip after the other, while Redis is killed and restarted. */
export async function tripFaultPlan(
  context: ScenarioContext,
  shape: { readonly ratePerSecond: number; readonly durationMs: number; readonly processes: number },
): Promise<Experiment> {
  const { settings, stores, progress } = context;
  const databaseUrl = await stores.createDatabase('bench_trip_faults');
  const pool = openPool(databaseUrl, 4);
  await using redis = await openBreakableRedis(stores, 'redis-of-trips');
  await using crews = new CrewPool(settings, {
    scenario: 'faults',
    subjects: new URL('../trips/subjects.js', import.meta.url),
    databaseUrl,
    redisUrl: redis.url,
  });
  try {
    await migrateTrips(pool);
    return await runFaultPlan(
      {
        id: 'faults.trips.killed',
        title: `trips, ${shape.ratePerSecond.toLocaleString('en-US')} accepts a second, Redis killed`,
        subject: { name: 'solegate', role: 'solegate' },
        processes: shape.processes,
        load: { kind: 'open', ratePerSecond: shape.ratePerSecond, durationMs: shape.durationMs },
        crew: await crews.get('solegate', shape.processes),
        acts: redis.faults.killed,
        prepare: (load) => prepareTrips(pool, 'solegate', shapeOf(load)),
        verify: async (facts, records) => {
          const stored = await readTrips(pool, 'trips', Number(facts.firstTripId));
          return tripsVerdict(records, { stored, onePerDriver: true });
        },
      },
      progress,
    );
  } finally {
    await pool.end();
  }
}

function shapeOf(load: Load) {
  const requests = load.kind === 'open' ? (load.ratePerSecond * load.durationMs) / 1000 : 0;
  return {
    tripCount: Math.ceil(requests / DRIVERS_PER_TRIP) + 1,
    driversPerTrip: DRIVERS_PER_TRIP,
    driverPool: 0,
  };
}
