import { readFile } from 'node:fs/promises';
import type { GatewayProcess } from '@solegate/testkit';
import type { Experiment, Metrics, SubjectRole, Violation } from '../../measuring/result.js';
import { Tally } from '../../measuring/tally.js';
import type { ScenarioContext } from '../../running/scenario.js';
import { Child } from '../../workers/child.js';
import { MINT_IDS } from '../graphql-operations.js';
import { repeatedIds } from '../graphql-plans.js';
import type * as Blast from './blast.js';
import { startPeerServer } from './peer-server.js';
import { callerTokens, type Production } from './production.js';

/** A server, what it is sent, and what is known of it. */
interface Served {
  readonly tally: Tally;
  readonly url: string;
  readonly pid: number | undefined;
  /** Default: by text. */
  readonly body?: string;
  readonly tokens?: readonly string[];
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

/** The gateway in demo mode, one in production, and the trusted document that mints. */
export interface TrivialParts {
  readonly demo: GatewayProcess;
  readonly inProduction: GatewayProcess;
  readonly production: Production;
  readonly mintId: string;
}

/**
 * Measures the overhead of a gateway: minting one ID over GraphQL, which itself takes less than a microsecond. The load
 * comes from autocannon in its own process, since a client written for correctness would be the bottleneck.
 */
export async function measureTrivial(
  context: ScenarioContext,
  { demo, inProduction, production, mintId }: TrivialParts,
): Promise<Experiment> {
  await using mercurius = await startPeerServer({ kind: 'mercurius' });
  await using duties = await startPeerServer({ kind: 'mercurius with duties' });
  await using protectedPeer = await startPeerServer({ kind: 'mercurius with duties', production });
  const tokens = await callerTokens(production);
  const body = JSON.stringify({ documentId: mintId, variables });
  // Awaited here: a promise that is merely returned would outlive the servers of this block.
  return await measureServed(context, [
    serve('solegate', 'solegate', demo),
    serve('solegate, trusted document', 'solegate', demo, { body }),
    serve('solegate in production', 'solegate', inProduction, { tokens }),
    serve('mercurius', 'peer', mercurius),
    serve('mercurius with the same duties', 'peer', duties),
    serve('mercurius with duties, JWT and a rate limit', 'peer', protectedPeer, { tokens }),
  ]);
}

async function measureServed(
  { settings, progress, dice }: ScenarioContext,
  served: readonly Served[],
): Promise<Experiment> {
  const turnCount = settings.quick ? 1 : PASSES;
  const warmUpMs = settings.quick ? PASS_MS : WARM_UP_MS;
  const passCount = settings.repeatCount * turnCount;
  progress.begin('a trivial mutation', served.length * (passCount + 1));
  const sabotaged = settings.sabotage.has('gateway');
  for (let pass = 0; pass <= passCount; pass += 1) {
    const durationMs = pass === 0 ? warmUpMs : PASS_MS;
    for (const one of dice.sample(served, served.length)) {
      const { tally, pid, url, body = BY_TEXT, tokens } = one;
      progress.step(tally.subject);
      const order = { url, body, ...(tokens && { tokens }), connections: CONNECTIONS, durationMs };
      const usedMs = await processorMsOf(pid);
      const answer = await blast(order);
      const spentMs = (await processorMsOf(pid)) - usedMs;
      if (sabotaged && tally.role === 'solegate') answer.ids.push(answer.ids[0] ?? '');
      tally.verified({ violations: broken(answer), verifiedCount: answer.ids.length });
      if (pass > 0) tally.repeats.push(metricsOf(answer, spentMs));
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
    measurements: served.map(({ tally }) => tally),
  };
}

function serve(
  subject: string,
  role: SubjectRole,
  { url, pid }: Pick<Served, 'url' | 'pid'>,
  sent: Pick<Served, 'body' | 'tokens'> = {},
): Served {
  return { tally: new Tally(subject, role), url, pid, ...sent };
}

function metricsOf(
  { requestsPerSecond, p50Ms, p90Ms, p99Ms, failedCount, ids }: Blast.BlastAnswer,
  spentMs: number,
): Metrics {
  const speed = { perSecond: requestsPerSecond, p50Ms, p90Ms, p99Ms, failedCount, failedShare: 0 };
  const isKnown = spentMs > 0 && ids.length > 0;
  return { ...speed, ...(isKnown && { processorUs: (spentMs * 1000) / ids.length }) };
}

/** Processor time of a process so far, in milliseconds; NaN where it cannot be read. A tick of Linux is 10 ms. */
async function processorMsOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in brackets, may contain spaces.
  const [, , , , , , , , , , , userTicks, systemTicks] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(userTicks) + Number(systemTicks)) * 10;
}

function broken({ ids, failedCount, failure }: Blast.BlastAnswer): Violation[] {
  if (failedCount > 0) {
    return [{ rule: 'answered', witness: `${failedCount} requests failed: ${failure ?? 'no answer'}` }];
  }
  return repeatedIds(ids);
}

async function blast(order: Blast.BlastOrder): Promise<Blast.BlastAnswer> {
  await using child = new Child<typeof Blast>(new URL('./blast.js', import.meta.url));
  return await child.call('blast', order);
}
