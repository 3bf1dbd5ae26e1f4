import type { Load } from '../measuring/load.js';
import type { Experiment } from '../measuring/result.js';
import type { RandomSource } from '../measuring/seeded-random.js';
import { TIMED_MS } from '../measuring/timing.js';
import { type CrewPlan, runCrewPlan } from '../running/crew-plan.js';
import { CrewPool } from '../running/crew-pool.js';
import type { Progress } from '../running/progress.js';
import type { RunSettings } from '../running/run-settings.js';
import type { Scenario } from '../running/scenario.js';
import { GraphqlClient } from './graphql-client.js';
import {
  acceptPlan,
  type GatewayPlace,
  type GraphqlPlanShape,
  issuePlan,
  mintPlan,
} from './graphql-plans.js';

/** Runs all measurements against gateways that already run: starts no servers and causes no faults. */
export async function runRemote(
  scenarios: readonly Scenario[],
  { settings, progress, random }: { settings: RunSettings; progress: Progress; random: RandomSource },
): Promise<Experiment[]> {
  const { targets, headers, parallel = 100 } = settings;
  const client = new GraphqlClient({ targets, headers, parallel: 8 });
  await using crews = new CrewPool(settings, {
    scenario: scenarios.map(({ name }) => name),
    subjects: new URL('./graphql-subjects.js', import.meta.url),
    facts: { targets: targets.join(' '), headers: JSON.stringify(headers), parallel },
  });
  const places: GatewayPlace[] = [{ subject: 'solegate', role: 'solegate', client, crews }];
  try {
    const experiments: Experiment[] = [];
    for (const plan of scenarios.flatMap((scenario) => plansOf(scenario, settings, places))) {
      experiments.push(await runCrewPlan(plan, random, progress));
    }
    return experiments;
  } finally {
    client.close();
  }
}

function plansOf({ name, remote }: Scenario, settings: RunSettings, places: GatewayPlace[]): CrewPlan[] {
  if (remote === undefined) return [];
  const shape = shapeOf(name, remote.title, settings);
  switch (remote.request) {
    case 'mint':
      return [mintPlan(shape, places)];
    case 'issue':
      return [issuePlan(remote.isOpenLoop ? arrivalsOf(shape, settings) : shape, places)];
    case 'accept':
      return [acceptPlan(burstOf(shape), places)];
  }
}

const QUICK_DURATION_MS = 800;

function shapeOf(scenario: string, what: string, settings: RunSettings): GraphqlPlanShape {
  const { parallel = 100, processes = 1, ratePerSecond, repeatCount } = settings;
  const durationMs = settings.durationMs ?? (settings.quick ? QUICK_DURATION_MS : TIMED_MS);
  const load: Load =
    ratePerSecond === undefined
      ? { kind: 'closed', inFlight: parallel, durationMs }
      : { kind: 'open', ratePerSecond, durationMs };
  const how =
    ratePerSecond === undefined
      ? `${parallel.toLocaleString('en-US')} parallel`
      : `${ratePerSecond} a second`;
  return {
    id: `remote.${scenario}`,
    scenario,
    title: `${what}, ${how}, ${settings.targets.length === 1 ? '1 target' : `${settings.targets.length} targets`}`,
    parallel,
    processes,
    load,
    warmUp: { ...load, durationMs: Math.min(500, durationMs) },
    repeatCount,
  };
}

function burstOf(shape: GraphqlPlanShape): GraphqlPlanShape {
  const load: Load = { kind: 'list', inFlight: shape.parallel, count: shape.parallel };
  return { ...shape, load, warmUp: load };
}

/** A tenth of a gateway's capacity; the default if the user sets no rate. */
const ARRIVALS_PER_SECOND = 200;

function arrivalsOf(shape: GraphqlPlanShape, settings: RunSettings): GraphqlPlanShape {
  if (settings.ratePerSecond !== undefined || shape.load.kind === 'list') return shape;
  const { durationMs } = shape.load;
  const load: Load = { kind: 'open', ratePerSecond: ARRIVALS_PER_SECOND, durationMs };
  const title = shape.title.replace(/, .* parallel/, `, ${ARRIVALS_PER_SECOND} a second`);
  return { ...shape, title, load, warmUp: { ...load, durationMs: Math.min(500, durationMs) } };
}
