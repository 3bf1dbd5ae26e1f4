import { freePort } from '@solegate/local-services';
import { type BenchProject, createBenchProject, readBenchProject } from '../gateway/bench-project.js';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.js';
import { GraphqlClient } from '../gateway/graphql-client.js';
import type { Experiment } from '../measuring/result.js';
import { numbersVerdict } from '../numbers/verify-numbers.js';
import { CrewPool } from '../running/crew-pool.js';
import type { ScenarioContext } from '../running/scenario.js';
import { type FaultAct, type FaultPlan, runFaultPlan } from './fault-plan.js';

const RATE_PER_SECOND = 100;
const DURATION_MS = 6000;
const FROM_MS = 1500;
const UNTIL_MS = 3000;

/**
 * Two gateways on the same stores. Users call them in turns and repeat unanswered requests with the same key. One
 * gateway is killed and restarted, then stopped and continued.
 */
export async function runGatewayFaults(context: ScenarioContext): Promise<Experiment[]> {
  const { settings, stores, progress } = context;
  const databaseUrl = await stores.createDatabase('bench_gateway_faults');
  const place = { databaseUrl, redisUrl: stores.redisUrl };
  await using steady = await startGatewayProcess(place);
  const port = await freePort();
  let struck: GatewayProcess = await startGatewayProcess({ ...place, port });
  const client = new GraphqlClient({ targets: [steady.url], headers: {}, parallel: 4 });
  await using crews = new CrewPool(settings, {
    scenario: 'faults',
    subjects: new URL('../gateway/graphql-subjects.js', import.meta.url),
    facts: { targets: `${steady.url} ${struck.url}`, parallel: 200 },
  });
  const killed: FaultAct[] = [
    { atMs: FROM_MS, text: 'one of two gateways killed', act: () => struck.kill() },
    {
      atMs: UNTIL_MS,
      text: 'started again',
      act: async () => {
        struck = await startGatewayProcess({ ...place, port });
      },
    },
  ];
  const signal = (name: NodeJS.Signals) => (): void => {
    process.kill(struck.pid, name);
  };
  const paused: FaultAct[] = [
    { atMs: FROM_MS, text: 'one of two gateways stopped (SIGSTOP)', act: signal('SIGSTOP') },
    { atMs: UNTIL_MS, text: 'goes on', act: signal('SIGCONT') },
  ];
  try {
    const crew = await crews.get('issue, repeated', 1);
    return [
      await runFaultPlan({ ...planOf('killed', client), crew, acts: killed }, progress),
      await runFaultPlan({ ...planOf('paused', client), crew, acts: paused }, progress),
    ];
  } finally {
    client.close();
    await struck.stop();
  }
}

function planOf(fault: string, client: GraphqlClient): Omit<FaultPlan, 'crew' | 'acts'> {
  return {
    id: `faults.gateway.${fault}`,
    title: `numbers over GraphQL, ${RATE_PER_SECOND} a second, one of two gateways ${fault}`,
    subject: { name: 'solegate', role: 'solegate' },
    processes: 1,
    load: { kind: 'open', ratePerSecond: RATE_PER_SECOND, durationMs: DURATION_MS },
    prepare: () => createBenchProject(client),
    verify: async (facts, records) =>
      numbersVerdict(records, await readBenchProject(client, facts as BenchProject)),
  };
}
