import { setTimeout as pause } from 'node:timers/promises';
import { connectRedis } from '@solegate/redis-infra';
import { createDriverPool, type DriverPool } from '@solegate/trip-reservation/driver-pool';
import type { Experiment, Metrics, Violation } from '../measuring/result.js';
import { median } from '../measuring/statistics.js';
import { Tally } from '../measuring/tally.js';
import type { ScenarioContext } from '../running/scenario.js';

/** Drivers in a square of 33 km; the first ones fall silent, and their positions expire together. */
const DRIVER_COUNT = 100_000;
const SILENT_COUNT = 30_000;
const CENTRE = { latitude: 13.75, longitude: 100.5 };
const EXTENT_DEGREES = 0.3;
const RADIUS_METERS = 8000;
const COUNT_MAX = 35;

/** Longer than the reports of all other drivers take. */
const TTL_MS = 600_000;
const SILENT_TTL_MS = 15_000;
const REPORTS_AT_ONCE = 500;
/** As many as one process has in progress. */
const SEARCHES_AT_ONCE = 4;
const PING_EVERY_MS = 1;
/** With nobody searching, how long the other client measures the machine. */
const CALM_MS = 2000;
const SEARCH_COUNT = 400;

/**
 * Searches among 100,000 positions of which 30,000 have just expired, while another client sends PING: whatever holds
 * Redis delays it. The same without searches shows what the machine alone does to a PING.
 */
export async function runCrowdedSearch({ settings, stores, progress }: ScenarioContext): Promise<Experiment> {
  const connect = () =>
    connectRedis({ url: stores.redisUrl, purpose: 'background', commandTimeoutMs: 30_000 });
  const [redis, other] = [connect(), connect()];
  const namespace = `search${Date.now()}`;
  const open = (positionTtlMs: number) =>
    createDriverPool({ redis, namespace, positionTtlMs, timeoutMs: 30_000 });
  const [drivers, silent] = [open(TTL_MS), open(SILENT_TTL_MS)];
  const searching = new Tally('solegate', 'solegate');
  const calm = new Tally('nobody searches', 'floor');
  progress.begin(`search among ${DRIVER_COUNT.toLocaleString('en-US')} drivers`, settings.repeatCount);
  try {
    await Promise.all([redis.ping(), other.ping()]);
    await report(drivers, SILENT_COUNT, DRIVER_COUNT);
    for (let repeat = 0; repeat < settings.repeatCount; repeat += 1) {
      progress.step('solegate');
      await report(silent, 0, SILENT_COUNT);
      await pause(SILENT_TTL_MS);
      calm.repeats.push(await pinged(other, () => pause(CALM_MS)));
      const took: number[] = [];
      const metrics = await pinged(other, async () => {
        for (let count = 0; count < SEARCH_COUNT; count += SEARCHES_AT_ONCE) {
          const group = Array.from({ length: SEARCHES_AT_ONCE }, (_, index) =>
            search(drivers, count + index),
          );
          for (const { tookMs, violations } of await Promise.all(group)) {
            took.push(tookMs);
            searching.verified({ violations, verifiedCount: 1 });
          }
        }
      });
      searching.repeats.push({ ...metrics, searchP50Ms: median(took) });
    }
  } finally {
    redis.disconnect();
    other.disconnect();
  }
  progress.end();
  return {
    id: 'trips.search',
    scenario: 'trips',
    title: `search among ${DRIVER_COUNT.toLocaleString('en-US')} drivers within 8 km, ${SILENT_COUNT.toLocaleString('en-US')} just silent: longest PING of another client`,
    parallel: SEARCHES_AT_ONCE,
    processes: 1,
    lead: { metric: 'pingMaxMs', unit: 'ms', better: 'less' },
    measurements: [searching, calm],
  };
}

async function report(drivers: DriverPool, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += REPORTS_AT_ONCE) {
    const ids = Array.from({ length: Math.min(REPORTS_AT_ONCE, to - first) }, (_, index) => first + index);
    await Promise.all(
      ids.map((id) => drivers.updatePosition({ driverId: BigInt(id + 1), place: scattered(id) })),
    );
  }
}

/** Evenly over the square, the same for every run. */
function scattered(index: number): { latitude: number; longitude: number } {
  const spread = (step: number) => (((index * step) % 1) - 0.5) * EXTENT_DEGREES;
  return {
    latitude: CENTRE.latitude + spread(0.618_033_988_7),
    longitude: CENTRE.longitude + spread(0.754_877_666_2),
  };
}

async function search(
  drivers: DriverPool,
  index: number,
): Promise<{ tookMs: number; violations: Violation[] }> {
  const place = scattered(index * 17);
  const beganAt = performance.now();
  const found = await drivers.nearest(place, { radiusMeters: RADIUS_METERS, countMax: COUNT_MAX });
  const tookMs = performance.now() - beganAt;
  const gone = found.find(({ driverId }) => driverId <= SILENT_COUNT);
  if (gone === undefined && found.length === COUNT_MAX) return { tookMs, violations: [] };
  const witness = gone
    ? `driver ${gone.driverId} was silent and is found`
    : `${found.length} drivers are found instead of ${COUNT_MAX}`;
  return { tookMs, violations: [{ rule: 'answered', witness }] };
}

/** The longest PING while `work` runs. */
async function pinged(other: { ping(): Promise<unknown> }, work: () => Promise<unknown>): Promise<Metrics> {
  let isOver = false;
  const worked = work().finally(() => {
    isOver = true;
  });
  const took: number[] = [];
  while (!isOver) {
    const sentAt = performance.now();
    await other.ping();
    took.push(performance.now() - sentAt);
    await pause(PING_EVERY_MS);
  }
  await worked;
  return { pingMaxMs: Math.max(...took), pingP50Ms: median(took) };
}
