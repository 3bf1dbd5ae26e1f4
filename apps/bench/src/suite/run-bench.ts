import { execFileSync } from 'node:child_process';
import { Dice } from '@solegate/testkit';
import { judge } from '../figures/judge.js';
import { installedVersions, machineFacts } from '../measuring/machine.js';
import type { BenchResult, Experiment } from '../measuring/result.js';
import type { Progress } from '../running/progress.js';
import type { RunSettings } from '../running/run-settings.js';
import type { Scenario } from '../running/scenario.js';
import { type BenchStores, openStores } from '../running/stores.js';
import { scenarios, targets } from './scenarios.js';

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

/** Runs the scenarios one after the other and compares the results with the targets. */
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
    experiments: found.experiments,
    figures: judge(found.experiments, targets),
  };
}

interface Found {
  readonly experiments: readonly Experiment[];
  readonly versions: BenchStores['versions'];
}

function chosen(settings: RunSettings): Scenario[] {
  return scenarios.filter(({ name }) => settings.scenarios.includes(name));
}

/** Measures locally, on the bench's own stores. */
async function measureHere(settings: RunSettings, progress: Progress): Promise<Found> {
  await using stores = await openStores((text) => {
    progress.begin(text, 1);
    progress.end();
  });
  const dice = new Dice(settings.seed);
  const experiments: Experiment[] = [];
  for (const scenario of chosen(settings)) {
    experiments.push(...(await scenario.run({ settings, stores, progress, dice })));
  }
  return { experiments, versions: stores.versions };
}

/** Measures running gateways, whose stores are not accessible. */
async function measureRemote(settings: RunSettings, progress: Progress): Promise<Found> {
  const { runRemote } = await import('../gateway/run-remote.js');
  const dice = new Dice(settings.seed);
  const experiments = await runRemote(chosen(settings), { settings, progress, dice });
  return { experiments, versions: { postgres: 'of the target', redis: 'of the target' } };
}

/** The settings needed to repeat the run, without headers, which can contain secrets. */
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
