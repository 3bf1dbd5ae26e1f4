import { setTimeout as pause } from 'node:timers/promises';
import { Dice } from '@solegate/testkit';
import pg from 'pg';
import { Callers } from '../callers/callers.js';
import { Frontends } from '../callers/frontends.js';
import { Recorder } from '../callers/recorder.js';
import { findThin } from '../history/calls.js';
import type { Violation } from '../history/check.js';
import { SABOTAGES, type Sabotage, type SabotageName } from '../sabotage/sabotages.js';
import type { PlannedFault } from '../schedule/schedule.js';
import { faultOf } from '../system/faults.js';
import { OTHER_CELL, System } from '../system/system.js';
import { judge } from './judge.js';

export interface Play {
  readonly seed: number;
  readonly durationMs: number;
  readonly schedule: readonly PlannedFault[];
  /** Takes a guard away, which the checker must notice. */
  readonly sabotage?: SabotageName | undefined;
  readonly otherGateway?: string | undefined;
  /** What grants node IDs, `redis` or `postgres`. Default: `redis`. */
  readonly nodeStore?: string;
  /** PostgreSQL servers with the data, 1 or 2. Default: 1. */
  readonly cellCount?: number;
}

export interface Outcome {
  readonly violations: readonly Violation[];
  /** Kinds of answers of which there were too few to prove anything. */
  readonly thin: readonly string[];
  /** How many calls were answered, and how many were made. */
  readonly answeredCount: number;
  readonly callCount: number;
}

/** How long subscriptions have to deliver what is due, where a sabotage may have taken it away for good, in milliseconds. */
const SABOTAGED_DUE_MS = 5000;
/** How many times its own length a run on a busy machine goes on, without faults, until enough was answered. */
const EXTENSION_MAX = 12;

/** One run: starts the system, runs callers and faults together, recovers it, repeats open calls, and checks. */
export async function play(playing: Play): Promise<Outcome> {
  const { seed, durationMs, schedule, otherGateway, nodeStore = 'redis', cellCount = 1 } = playing;
  const sabotage: Sabotage | undefined = playing.sabotage && SABOTAGES[playing.sabotage];
  const codeChange = sabotage?.codeChange;
  await using system = await System.start({ otherGateway, nodeStore, codeChange, cellCount });
  if (sabotage?.sql !== undefined) await run(system.databaseUrls[0], sabotage.sql);
  await using frontends = new Frontends(
    system.gateways.map(({ url }) => url),
    sabotage?.rewrite?.(),
  );
  const recorder = new Recorder();
  const callers = new Callers(frontends, recorder, new Dice(seed), sabotage && SABOTAGED_DUE_MS);
  if (cellCount > 1) await callers.addCell(OTHER_CELL);
  const ending = new AbortController();
  const calling = callers.run(ending.signal);
  await Promise.all([inflict(system, schedule), pause(durationMs)]);
  const thin = () => {
    const seen = { calls: recorder.calls, streams: callers.subscribers.received };
    return findThin(seen, sabotage?.minimum);
  };
  const lastMs = performance.now() + durationMs * EXTENSION_MAX;
  while (thin().length > 0 && performance.now() < lastMs) await pause(500);
  await sabotage?.lastly?.(system);
  ending.abort();
  await calling;
  await Promise.all(system.gateways.map((gateway) => gateway.start()));
  const { calls } = recorder;
  return {
    violations: await judge(callers, calls, system.databaseUrls),
    thin: thin(),
    answeredCount: calls.filter((call) => call.ending.kind === 'answered').length,
    callCount: calls.length,
  };
}

/** Each statement by itself: ALTER SYSTEM runs in no transaction. */
async function run(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const statement of sql.split(/;\s*$/m)) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Injects the faults of each part in sequence, those of different parts concurrently. Resolves when all have ended. */
async function inflict(system: System, schedule: readonly PlannedFault[]): Promise<void> {
  const startMs = performance.now();
  const until = (atMs: number): Promise<void> => pause(Math.max(0, startMs + atMs - performance.now()));
  const parts = new Set(schedule.map(({ part }) => part));
  const playing = [...parts].map(async (part) => {
    for (const { kind, atMs, forMs } of schedule.filter((fault) => fault.part === part)) {
      const fault = faultOf(part, kind);
      await until(atMs);
      await fault.begin(system);
      await until(atMs + forMs);
      await fault.end(system);
    }
  });
  await Promise.all(playing);
}
