import type { Load } from '../measuring/load.js';
import type { Experiment } from '../measuring/result.js';
import { TIMED_MS } from '../measuring/timing.js';
import { type CrewPlan, runCrewPlan } from '../running/crew-plan.js';
import { CrewPool } from '../running/crew-pool.js';
import type { RunSettings } from '../running/run-settings.js';
import type { Scenario, ScenarioContext } from '../running/scenario.js';
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
  context: Omit<ScenarioContext, 'stores'>,
): Promise<Experiment[]> {
  const { settings } = context;
  const { targets, headers, parallel = 100 } = settings;
  using client = new GraphqlClient({ targets, headers, parallel: 8 });
  await using crews = new CrewPool(settings, {
    scenario: scenarios.map(({ name }) => name),
    subjects: new URL('./graphql-subjects.js', import.meta.url),
    facts: { targets: targets.join(' '), headers: JSON.stringify(headers), parallel },
  });
  const places: GatewayPlace[] = [{ subject: 'solegate', role: 'solegate', client, crews }];
  const experiments: Experiment[] = [];
  for (const plan of scenarios.flatMap((scenario) => plansOf(scenario, settings, places))) {
    experiments.push(await runCrewPlan(plan, context));
  }
  return experiments;
}

function plansOf({ name, remote }: Scenario, settings: RunSettings, places: GatewayPlace[]): CrewPlan[] {
  if (remote === undefined) return [];
  const { parallel = 100 } = settings;
  const ratePerSecond = settings.ratePerSecond ?? (remote.isOpenLoop ? ARRIVALS_PER_SECOND : undefined);
  const shape = shapeOf(name, remote.title, { ...settings, ...(ratePerSecond && { ratePerSecond }) });
  switch (remote.request) {
    case 'mint':
      return [mintPlan(shape, places)];
    case 'issue':
      return [issuePlan(shape, places)];
    case 'accept': {
      const load: Load = { kind: 'list', inFlight: parallel, count: parallel };
      return [acceptPlan({ ...shape, load, warmUp: load }, places)];
    }
  }
}

const QUICK_DURATION_MS = 800;
/** A tenth of a gateway's capacity; the default of an open loop. */
const ARRIVALS_PER_SECOND = 200;

function shapeOf(scenario: string, what: string, settings: RunSettings): GraphqlPlanShape {
  const { parallel = 100, processes = 1, ratePerSecond, repeatCount, targets } = settings;
  const durationMs = settings.durationMs ?? (settings.quick ? QUICK_DURATION_MS : TIMED_MS);
  const load =
    ratePerSecond === undefined
      ? ({ kind: 'closed', inFlight: parallel, durationMs } as const)
      : ({ kind: 'open', ratePerSecond, durationMs } as const);
  const how =
    ratePerSecond === undefined
      ? `${parallel.toLocaleString('en-US')} parallel`
      : `${ratePerSecond} a second`;
  return {
    id: `remote.${scenario}`,
    scenario,
    title: `${what}, ${how}, ${targets.length === 1 ? '1 target' : `${targets.length} targets`}`,
    parallel,
    processes,
    load,
    warmUp: { ...load, durationMs: Math.min(500, durationMs) },
    repeatCount,
  };
}
