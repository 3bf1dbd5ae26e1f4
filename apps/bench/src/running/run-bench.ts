import { execFileSync } from 'node:child_process';
import { judge } from '../figures/judge.js';
import { targets } from '../figures/targets.js';
import { measureFloors } from '../measuring/floors.js';
import { installedVersions, machineFacts } from '../measuring/machine.js';
import type { BenchResult, Experiment, ScenarioName } from '../measuring/result.js';
import { seededRandom } from '../measuring/seeded-random.js';
import type { Progress } from './progress.js';
import type { RunSettings } from './run-settings.js';
import type { RunScenario } from './scenario.js';
import { openStores } from './stores.js';

/** A scenario is loaded when it runs: whoever wants IDs need not wait for echarts or Mercurius to load. */
const scenarios: Record<ScenarioName, () => Promise<RunScenario>> = {
  ids: async () => (await import('../ids/ids-scenario.js')).runIds,
  'node-leases': async () => (await import('../node-leases/node-leases-scenario.js')).runNodeLeases,
  numbers: async () => (await import('../numbers/numbers-scenario.js')).runNumbers,
  trips: async () => (await import('../trips/trips-scenario.js')).runTrips,
  gateway: async () => (await import('../gateway/gateway-scenario.js')).runGateway,
  faults: async () => (await import('../faults/faults-scenario.js')).runFaults,
};

const COMPARED_PACKAGES = [
  'ioredis',
  'pg',
  'redlock',
  'snowflake-uuid',
  '@sapphire/snowflake',
  'nodejs-snowflake',
  'flake-idgen',
  'tsid-ts',
  'ulid',
  'uuid',
  'nanoid',
  'mercurius',
  'fastify',
  '@apollo/server',
];

/** Starts the stores, runs the scenarios one after the other, holds them against the targets. */
export async function runBench(settings: RunSettings, progress: Progress): Promise<BenchResult> {
  const startedMs = performance.now();
  await using stores = await openStores((text) => {
    progress.begin(text, 1);
    progress.end();
  });
  const floors = await measureFloors(stores.redisUrl, stores.folder);
  const random = seededRandom(settings.seed);
  const experiments: Experiment[] = [];
  for (const name of settings.scenarios) {
    const run = await scenarios[name]();
    experiments.push(...(await run({ settings, stores, progress, random })));
  }
  return {
    kind: 'solegate-bench-result',
    date: new Date().toISOString(),
    commit: commitName(),
    tookMs: Math.round(performance.now() - startedMs),
    settings: storedSettings(settings),
    machine: machineFacts(stores.versions, installedVersions(COMPARED_PACKAGES)),
    floors,
    experiments,
    figures: judge(experiments, targets),
  };
}

/** What a reader needs to repeat the run; headers may carry secrets and stay out. */
export function storedSettings(settings: RunSettings): BenchResult['settings'] {
  const { headers: _headers, sabotage: _sabotage, ...stored } = settings;
  return stored;
}

function commitName(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}
