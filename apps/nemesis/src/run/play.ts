import { setTimeout as pause } from 'node:timers/promises';
import { Dice } from '@solegate/testkit';
import { Callers } from '../callers/callers.js';
import { CALL_LIMIT_MS, Frontends } from '../callers/frontends.js';
import { Recorder } from '../callers/recorder.js';
import { check, type Violation } from '../history/check.js';
import type { PlannedFault } from '../schedule/schedule.js';
import { faultOf } from '../system/faults.js';
import { OTHER_CELL, System } from '../system/system.js';
import { forgetCommits } from './forgetful-postgres.js';
import { readStores } from './stores-at-the-end.js';

export interface Play {
  readonly seed: number;
  readonly durationMs: number;
  readonly schedule: readonly PlannedFault[];
  /** Removes the guards: PostgreSQL forgets commits, and large batches of IDs expose a node that is held twice. */
  readonly isControl: boolean;
  /** Leases nodes from one Redis per gateway; the second waits 35 s, since the fleet is known. Default: `isControl`. */
  readonly splitRedis?: boolean;
  readonly otherGateway?: string | undefined;
  /** PostgreSQL servers with the data, 1 or 2. Default: 1. */
  readonly cellCount?: number;
}

export interface Outcome {
  readonly violations: readonly Violation[];
  /** Answered and requested calls by kind, for the line that a run prints. */
  readonly answered: Readonly<Record<'ids' | 'number' | 'trip', readonly [answered: number, asked: number]>>;
}

/** Processes that share a node mint equal IDs only within one millisecond, which a large batch fills. */
const IDS_A_CALL = { usual: 500, control: 5000 };

/** One run: starts the system, runs callers and faults together, recovers it, repeats open calls, and checks. */
export async function play(playing: Play): Promise<Outcome> {
  const {
    seed,
    durationMs,
    schedule,
    isControl,
    splitRedis = isControl,
    otherGateway,
    cellCount = 1,
  } = playing;
  await using system = await System.start({ otherGateway, splitRedis, cellCount });
  await using frontends = new Frontends(system.gateways.map(({ url }) => url));
  const recorder = new Recorder();
  const callers = new Callers(
    frontends,
    recorder,
    new Dice(seed),
    isControl ? IDS_A_CALL.control : IDS_A_CALL.usual,
  );
  if (cellCount > 1) await callers.addCell(OTHER_CELL);
  const ending = new AbortController();
  const forgetting = isControl ? forgetCommits(() => system.databaseUrls[0], ending.signal) : undefined;
  const calling = callers.run(ending.signal);
  await Promise.all([inflict(system, schedule), pause(durationMs)]);
  ending.abort();
  await Promise.all([calling, forgetting]);
  await Promise.all(system.gateways.map((gateway) => gateway.start()));
  // If PostgreSQL forgets commits, counters keep refusing until someone accepts the losses.
  if (!isControl) await callers.settle();
  const stores = await readStores(system.databaseUrls);
  const violations = check({ ...stores, calls: recorder.calls, callLimitMs: CALL_LIMIT_MS });
  return { violations, answered: tally(recorder) };
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

function tally({ calls }: Recorder): Outcome['answered'] {
  const of = (asked: 'ids' | 'number' | 'trip'): readonly [number, number] => {
    const all = calls.filter((call) => call.asked === asked);
    return [all.filter(({ ending }) => ending.kind === 'answered').length, all.length];
  };
  return { ids: of('ids'), number: of('number'), trip: of('trip') };
}
