import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Experiment, Measurement, Metrics, SubjectRole, Violation } from '../../measuring/result.js';
import { shuffled } from '../../measuring/seeded-random.js';
import type { ScenarioContext } from '../../running/scenario.js';
import { MINT_IDS } from '../graphql-operations.js';
import { repeatedIds } from '../graphql-plans.js';
import type { BlastAnswer, BlastOrder } from './blast-process.js';
import { startPeerServer } from './peer-server.js';

interface Served {
  readonly subject: string;
  readonly role: SubjectRole;
  readonly url: string;
  readonly body: string;
  readonly repeats: Metrics[];
  readonly violations: Violation[];
  verifiedCount: number;
}

/** The number of connections in the measurements of the design. */
const CONNECTIONS = 32;
/** Turn of one subject, before the next one: other activity on the machine then affects all alike. */
const PASS_MS = 500;
/** Turns in each repeat: three seconds in all. */
const PASSES = 6;
/** Long enough for the compiler to optimize the largest of the subjects. */
const WARM_UP_MS = 2_000;
const variables = { count: 1 };
const BY_TEXT = JSON.stringify({ query: MINT_IDS, variables });

/**
 * Measures the overhead of a gateway: minting one ID over GraphQL, which itself takes less than a microsecond. The load
 * comes from autocannon in its own process, since a client written for correctness would be the bottleneck.
 *
 * @param mintId the ID of the trusted document that mints
 */
export async function measureTrivial(
  context: ScenarioContext,
  gatewayUrl: string,
  mintId: string,
): Promise<Experiment> {
  const { settings } = context;
  await using mercurius = await startPeerServer({ kind: 'mercurius' });
  await using duties = await startPeerServer({ kind: 'mercurius with duties' });
  const byId = JSON.stringify({ documentId: mintId, variables });
  const ours = [
    serve('solegate', 'solegate', gatewayUrl),
    serve('solegate, trusted document', 'solegate', gatewayUrl, byId),
    serve('mercurius', 'peer', mercurius.url),
    serve('mercurius with the same duties', 'peer', duties.url),
  ];
  // Awaited here: a promise that is merely returned would outlive the servers of this block.
  if (settings.quick) return await measureServed(context, ours);
  await using rawFastify = await startPeerServer({ kind: 'raw fastify' });
  await using apollo = await startPeerServer({ kind: 'stock apollo on fastify' });
  return await measureServed(context, [
    ...ours,
    serve('stock Apollo on Fastify', 'peer', apollo.url),
    serve('raw Fastify, no GraphQL', 'floor', rawFastify.url),
  ]);
}

async function measureServed(
  { settings, progress, random }: ScenarioContext,
  served: readonly Served[],
): Promise<Experiment> {
  const turnCount = settings.quick ? 1 : PASSES;
  const warmUpMs = settings.quick ? PASS_MS : WARM_UP_MS;
  const passCount = settings.repeatCount * turnCount;
  progress.begin('a trivial mutation', served.length * (passCount + 1));
  const sabotaged = settings.sabotage.has('gateway');
  for (let pass = 0; pass <= passCount; pass += 1) {
    const durationMs = pass === 0 ? warmUpMs : PASS_MS;
    for (const one of shuffled(served, random)) {
      progress.step(one.subject);
      const answer = await blast({ url: one.url, body: one.body, connections: CONNECTIONS, durationMs });
      if (sabotaged && one.role === 'solegate') answer.ids.push(answer.ids[0] ?? '');
      one.violations.push(...broken(answer));
      one.verifiedCount += answer.ids.length;
      if (pass > 0) one.repeats.push(metricsOf(answer));
    }
  }
  progress.end();
  return {
    id: 'gateway.trivial',
    scenario: 'gateway',
    title: `a trivial mutation (generateTsids), ${CONNECTIONS} connections`,
    parallel: CONNECTIONS,
    processes: 1,
    lead: { metric: 'perSecond', unit: 'requests/s', better: 'more' },
    timing: { warmedMs: warmUpMs, timedMs: turnCount * PASS_MS },
    measurements: served.map(
      ({ url: _url, body: _body, ...rest }): Measurement => ({ ...rest, latencies: {}, failures: {} }),
    ),
  };
}

function serve(subject: string, role: SubjectRole, url: string, body = BY_TEXT): Served {
  return { subject, role, url, body, repeats: [], violations: [], verifiedCount: 0 };
}

function metricsOf({ requestsPerSecond, p50Ms, p90Ms, p99Ms, failedCount }: BlastAnswer): Metrics {
  return { perSecond: requestsPerSecond, p50Ms, p90Ms, p99Ms, failedCount, failedShare: 0 };
}

function broken({ ids, failedCount, failure }: BlastAnswer): Violation[] {
  if (failedCount > 0) {
    return [{ rule: 'answered', witness: `${failedCount} requests failed: ${failure ?? 'no answer'}` }];
  }
  return repeatedIds(ids);
}

async function blast(order: BlastOrder): Promise<BlastAnswer> {
  const child = fork(new URL('./blast-process.js', import.meta.url), { serialization: 'advanced' });
  child.send(order);
  const [answer] = (await once(child, 'message')) as [BlastAnswer];
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
  return answer;
}
