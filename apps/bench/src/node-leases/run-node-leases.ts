import { findDuplicates } from '@solegate/testkit';
import { Redis } from 'ioredis';
import type { RunRecord } from '../measuring/recorder.js';
import type { Experiment, Verdict, Violation } from '../measuring/result.js';
import { sum } from '../measuring/run-metrics.js';
import { type CrewPlan, planned, runCrewPlan } from '../running/crew-plan.js';
import { CrewPool } from '../running/crew-pool.js';
import type { ScenarioContext } from '../running/scenario.js';
import type { Crew } from '../workers/crew.js';
import { originalNodeKey } from './subjects.js';

const subjects = planned(['solegate', 'original design: SETNX loop']);

/** Slots of the default layout except one, which stays free for the measured claim. */
const TAKEN_COUNT = 1023;
const STARTER_COUNT = 1000;

/** A thousand processes that start simultaneously, and one that starts when almost all nodes are taken. */
export async function runNodeLeases(context: ScenarioContext): Promise<Experiment[]> {
  const { settings, stores } = context;
  await using crews = new CrewPool(settings, {
    scenario: 'node-leases',
    subjects: new URL('./subjects.js', import.meta.url),
    redisUrl: stores.redisUrl,
  });
  const redis = new Redis(stores.redisUrl);
  try {
    return [
      await runCrewPlan(startersPlan(context, crews, redis), context),
      await runCrewPlan(lastNodePlan(context, crews, redis), context),
    ];
  } finally {
    redis.disconnect();
  }
}

let runCount = 0;

function freshNamespace(): { namespace: string } {
  runCount += 1;
  return { namespace: `bench:nodes:${runCount}` };
}

function startersPlan({ settings }: ScenarioContext, crews: CrewPool, redis: Redis): CrewPlan {
  const processes = settings.processes ?? 4;
  const parallel = Math.min(STARTER_COUNT, settings.parallel ?? STARTER_COUNT);
  const load = { kind: 'list', inFlight: parallel, count: parallel } as const;
  return {
    id: 'node-leases.starters',
    scenario: 'node-leases',
    title: `${parallel.toLocaleString('en-US')} starters at once, from ${processes} processes`,
    parallel,
    processes,
    lead: { metric: 'allMs', unit: 'ms until all have a node', better: 'less' },
    subjects,
    load,
    warmUp: { kind: 'list', inFlight: 10, count: 10 },
    repeatCount: settings.repeatCount,
    crew: ({ name }) => crews.get(name, processes),
    prepare: async () => {
      await redis.flushdb();
      return freshNamespace();
    },
    verify: async (_place, records) => verifyNodes(records),
    metrics: (records) => ({
      allMs: Math.max(...records.map(({ startedMs, endedMs }) => endedMs - startedMs)),
      roundTrips: roundTripsPerClaim(records),
    }),
  };
}

function lastNodePlan({ settings }: ScenarioContext, crews: CrewPool, redis: Redis): CrewPlan {
  const one = { kind: 'list', inFlight: 1, count: 1 } as const;
  return {
    id: 'node-leases.claim',
    scenario: 'node-leases',
    title: 'a claim with 1,023 of 1,024 nodes taken',
    parallel: 1,
    processes: 1,
    lead: { metric: 'roundTrips', unit: 'round trips', better: 'less' },
    subjects,
    load: one,
    warmUp: one,
    repeatCount: settings.repeatCount,
    crew: ({ name }) => crews.get(name, 1),
    prepare: async (subject) => {
      await redis.flushdb();
      const facts = freshNamespace();
      if (subject.role === 'original') await takeKeys(redis, facts.namespace);
      else await takeByClaims(await crews.get(subject.name, 4), facts);
      return facts;
    },
    verify: async (_place, records) => verifyNodes(records),
    metrics: (records) => ({ roundTrips: roundTripsPerClaim(records) }),
  };
}

async function takeByClaims(crew: Crew, facts: { readonly namespace: string }): Promise<void> {
  await crew.prepare(0, facts);
  await crew.run({ kind: 'list', inFlight: 200, count: TAKEN_COUNT });
}

/** Takes the slots directly: a thousand claims by the loop would take half a million commands. */
async function takeKeys(redis: Redis, namespace: string): Promise<void> {
  const keys = Array.from({ length: TAKEN_COUNT }, (_, node) => [originalNodeKey(namespace, node), 'other']);
  await redis.mset(keys.flat());
}

function roundTripsPerClaim(records: readonly RunRecord[]): number {
  const claims = sum(records.map((record) => record.answered));
  return sum(records.map((record) => record.counts.roundTrips ?? 0)) / Math.max(1, claims);
}

/** Checks that every starter has a node, and no two the same one. */
function verifyNodes(records: readonly RunRecord[]): Verdict {
  const answers = records.flatMap((record) => record.answers);
  const failures = records.flatMap((record) => Object.entries(record.failures));
  const violations: Violation[] = failures.map(([code, { count, example }]) => ({
    rule: 'answered',
    witness: `${count} starters got no node: ${code}: ${example}`,
  }));
  const clash = findDuplicates(answers, { value: ({ node }) => Number(node) });
  if (clash !== undefined) {
    const witness = `node ${clash.later.node} was given to the starters ${clash.earlierIndex} and ${clash.laterIndex}`;
    violations.push({ rule: 'unique', witness });
  }
  return { violations, verifiedCount: answers.length };
}
