import { randomBytes } from 'node:crypto';
import type { Experiment } from '../measuring/result.js';
import { TIMED_MS } from '../measuring/timing.js';
import { createBaselineTables } from '../numbers/subjects/baseline-tables.js';
import { type CrewPlan, runCrewPlan } from '../running/crew-plan.js';
import { CrewPool } from '../running/crew-pool.js';
import { openPool } from '../running/database-pool.js';
import { isChosen, type RunSettings } from '../running/run-settings.js';
import type { ScenarioContext } from '../running/scenario.js';
import { startGatewayProcess } from './gateway-process.js';
import { GraphqlClient } from './graphql-client.js';
import { MINT_IDS } from './graphql-operations.js';
import { createPlan, type GatewayPlace, issuePlan } from './graphql-plans.js';
import { originalIssuePlan } from './peers/original-gateway.js';
import { startPeerServer } from './peers/peer-server.js';
import { productionEnvironment } from './peers/production.js';
import { measureTrivial } from './peers/trivial-mutation.js';
import { writeTrusted } from './peers/trusted-document.js';
import { DOCUMENTS_PER_SECOND } from './targets.js';

/**
 * Document numbers over GraphQL, compared with a gateway of the original design; documents created at the rates that the
 * original design names; and the gateway's own overhead.
 */
export async function runGateway(context: ScenarioContext): Promise<Experiment[]> {
  const { settings, stores } = context;
  const databaseUrl = await stores.createDatabase('bench_gateway');
  const originalDatabaseUrl = await stores.createDatabase('bench_original_gateway');
  await using originalPool = openPool(originalDatabaseUrl, 2);
  await createBaselineTables(originalPool);
  await using documents = await writeTrusted(MINT_IDS);
  await using gateway = await startGatewayProcess({
    databaseUrl,
    redisUrl: stores.redisUrl,
    trustedDocuments: documents.path,
  });
  await using original = await startPeerServer({
    kind: 'original',
    databaseUrl: originalDatabaseUrl,
    redisUrl: stores.redisUrl,
  });
  await using ours = openPlace(context, { subject: 'solegate', url: gateway.url });
  await using theirs = openPlace(context, { subject: ORIGINAL_SUBJECT, url: original.url });
  const { parallel = 100, processes = 1 } = settings;
  const durationMs = settings.durationMs ?? (settings.quick ? 500 : TIMED_MS);
  const plan = issuePlan(
    {
      id: settings.parallel === undefined ? 'gateway.issue' : `gateway.issue.${parallel}`,
      scenario: 'gateway',
      title: `issueDocumentNumber over GraphQL, ${parallel.toLocaleString('en-US')} parallel`,
      parallel,
      processes,
      load: { kind: 'closed', inFlight: parallel, durationMs },
      warmUp: { kind: 'closed', inFlight: parallel, durationMs: 500 },
      repeatCount: settings.repeatCount,
    },
    [ours.place, { ...theirs.place, role: 'original' }],
  );
  const compared = originalIssuePlan(plan, ORIGINAL_SUBJECT, originalPool);
  const experiments: Experiment[] = [];
  for (const one of [compared, ...createPlans(settings, ours.place)]) {
    if (!isChosen(settings, one.id)) continue;
    experiments.push(await runCrewPlan(one, context));
  }
  if (!isChosen(settings, 'gateway.trivial')) return experiments;
  const production = { jwtSecret: randomBytes(48).toString('base64'), redisUrl: stores.redisUrl };
  await using inProduction = await startGatewayProcess({
    databaseUrl,
    redisUrl: stores.redisUrl,
    environment: productionEnvironment(production),
  });
  const parts = { demo: gateway, inProduction, production, mintId: documents.id };
  return [...experiments, await measureTrivial(context, parts)];
}

const ORIGINAL_SUBJECT = 'gateway of the original design';

const DOCUMENTS_MS = 30_000;

function createPlans(settings: RunSettings, place: GatewayPlace): CrewPlan[] {
  const durationMs = settings.durationMs ?? (settings.quick ? 500 : DOCUMENTS_MS);
  return DOCUMENTS_PER_SECOND.map((ratePerSecond) => {
    const load = { kind: 'open', ratePerSecond, durationMs } as const;
    const shape = {
      id: `gateway.create.${ratePerSecond}`,
      scenario: 'gateway',
      title: `createCorrespondence over GraphQL, ${ratePerSecond} a second`,
      parallel: ratePerSecond,
      processes: 1,
      load,
      warmUp: { ...load, durationMs: Math.min(500, durationMs) },
      repeatCount: 1,
    };
    return createPlan(shape, [place]);
  });
}

/** Opens a client of one gateway and the crews that send it load. */
function openPlace(
  { settings }: ScenarioContext,
  { subject, url }: { subject: string; url: string },
): AsyncDisposable & { readonly place: GatewayPlace } {
  const { parallel = 100 } = settings;
  const client = new GraphqlClient({ targets: [url], headers: {}, parallel: 8 });
  const crews = new CrewPool(settings, {
    scenario: 'gateway',
    subjects: new URL('./graphql-subjects.js', import.meta.url),
    facts: { targets: url, headers: '{}', parallel },
  });
  return {
    place: { subject, role: 'solegate', client, crews },
    [Symbol.asyncDispose]: async () => {
      await crews[Symbol.asyncDispose]();
      client[Symbol.dispose]();
    },
  };
}
