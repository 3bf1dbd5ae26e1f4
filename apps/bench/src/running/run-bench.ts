import { execFileSync } from 'node:child_process';
import { judge } from '../figures/judge.js';
import { targets } from '../figures/targets.js';
import { measureFloors } from '../measuring/floors.js';
import { installedVersions, machineFacts } from '../measuring/machine.js';
import type { BenchResult, Experiment, Floors, ScenarioName } from '../measuring/result.js';
import { seededRandom } from '../measuring/seeded-random.js';
import type { Progress } from './progress.js';
import type { RunSettings } from './run-settings.js';
import type { RunScenario } from './scenario.js';
import { type BenchStores, openStores } from './stores.js';

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

/** Runs the scenarios one after the other and holds them against the targets. */
export async function runBench(settings: RunSettings, progress: Progress): Promise<BenchResult> {
  const startedMs = performance.now();
  const found =
    settings.targets.length > 0
      ? await measureRemote(settings, progress)
      : await measureHere(settings, progress);
  return {
    kind: 'solegate-bench-result',
    date: new Date().toISOString(),
    commit: commitName(),
    tookMs: Math.round(performance.now() - startedMs),
    settings: storedSettings(settings),
    machine: machineFacts(found.versions, installedVersions(COMPARED_PACKAGES)),
    floors: found.floors,
    experiments: found.experiments,
    figures: judge(found.experiments, targets),
  };
}

interface Found {
  readonly experiments: readonly Experiment[];
  readonly floors: Floors;
  readonly versions: BenchStores['versions'];
}

/** In process and on stores of the bench's own. */
async function measureHere(settings: RunSettings, progress: Progress): Promise<Found> {
  await using stores = await openStores((text) => {
    progress.begin(text, 1);
    progress.end();
  });
  const floors = await measureFloors({ redisUrl: stores.redisUrl, folder: stores.folder });
  const random = seededRandom(settings.seed);
  const experiments: Experiment[] = [];
  for (const name of settings.scenarios) {
    const run = await scenarios[name]();
    experiments.push(...(await run({ settings, stores, progress, random })));
  }
  return { experiments, floors, versions: stores.versions };
}

/** Against gateways that run already, whose stores nobody here can see. */
async function measureRemote(settings: RunSettings, progress: Progress): Promise<Found> {
  const { runRemote } = await import('../gateway/remote-scenario.js');
  const floors = await measureFloors();
  const experiments = await runRemote({ settings, progress, random: seededRandom(settings.seed) });
  return { experiments, floors, versions: { postgres: 'of the target', redis: 'of the target' } };
}

/** What a reader needs to repeat the run; headers may carry secrets and stay out. */
function storedSettings(settings: RunSettings): BenchResult['settings'] {
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
