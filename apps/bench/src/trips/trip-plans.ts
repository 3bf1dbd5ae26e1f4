import type { Load } from '../measuring/load.js';
import { type CrewPlan, planned, type Rounds } from '../running/crew-plan.js';
import { hasOwnShape, type RunSettings } from '../running/run-settings.js';
import type { subjects } from './subjects.js';

type SubjectName = keyof typeof subjects;

/** Some trips, each wanted by many drivers. */
export interface TripPlan
  extends Pick<CrewPlan, 'id' | 'title' | 'processes' | 'rounds' | 'warmUp' | 'warmUpRounds' | 'subjects'> {
  readonly tripCount: number;
  readonly driversPerTrip: number;
  /** Concurrent requests. */
  readonly inFlight: number;
  /** 0: every request is from a different driver. */
  readonly driverPool: number;
}

const everybody: readonly SubjectName[] = [
  'solegate',
  'original design',
  'conditional UPDATE',
  'version only',
  'FOR UPDATE',
  'same promises by hand',
];
const essential: readonly SubjectName[] = ['solegate', 'original design'];

/** Without `version only`, which costs PostgreSQL even more here than updating directly and would show nothing new. */
const wideSubjects: readonly SubjectName[] = [
  ...everybody.filter((name) => name !== 'version only'),
  'solegate without Redis',
  'solegate, one row held',
  'solegate, drivers report positions',
];

/**
 * A gateway runs for weeks: its code is optimized and its connections have planned their statements. Bursts would take
 * minutes to get there, so a long list of accepts runs first, and repeatedly while that is quick.
 */
const WARM_UP = { kind: 'list', inFlight: 400, count: 20_000 } as const satisfies Load;
/** Enough to open all connections: a quick run with a custom shape is a trial of the scenario, not a measurement. */
const TRIAL_WARM_UP = { ...WARM_UP, count: 400 } as const satisfies Load;

function warmUp(settings: RunSettings): Load {
  return settings.quick && hasOwnShape(settings) ? TRIAL_WARM_UP : WARM_UP;
}

function warmUpRounds({ quick }: RunSettings): Rounds {
  return quick ? { countMax: 1, enoughMs: 0 } : { countMax: 10, enoughMs: 2000 };
}

/** All drivers of one trip accept simultaneously. */
function burst(driverCount: number, processes: number, settings: RunSettings): TripPlan {
  return {
    id: `trips.1x${driverCount}.p${processes}`,
    title: `1 trip × ${driverCount.toLocaleString('en-US')} drivers at once, ${processWords(processes)}`,
    processes,
    tripCount: 1,
    driversPerTrip: driverCount,
    inFlight: driverCount,
    driverPool: 0,
    rounds: { countMax: settings.quick ? 3 : driverCount >= 1000 ? 20 : 50, enoughMs: 1000 },
    warmUp: warmUp(settings),
    warmUpRounds: warmUpRounds(settings),
    subjects: planned(settings.quick ? essential : everybody),
  };
}

/** Many trips one after the other, 400 concurrent requests; drivers are random, so some are already busy. */
function wide(processes: number, settings: RunSettings): TripPlan {
  return {
    id: `trips.1000x20.p${processes}`,
    title: `1,000 trips × 20 drivers, ${processWords(processes)}`,
    processes,
    tripCount: 1000,
    driversPerTrip: 20,
    inFlight: 400,
    driverPool: 20_000,
    rounds: { countMax: settings.quick ? 1 : 10, enoughMs: 500 },
    warmUp: warmUp(settings),
    warmUpRounds: warmUpRounds(settings),
    subjects: planned(settings.quick ? essential : wideSubjects),
  };
}

/** The shapes that the figures need, or the one that the user requested. */
export function tripPlans(settings: RunSettings): TripPlan[] {
  if (hasOwnShape(settings)) {
    const { parallel = 100, processes = 1 } = settings;
    return [{ ...burst(parallel, processes, settings), subjects: planned(everybody) }];
  }
  const processCounts = settings.quick ? [1] : [1, 4];
  return processCounts.flatMap((processes) => [
    burst(100, processes, settings),
    burst(1000, processes, settings),
    wide(processes, settings),
  ]);
}

function processWords(processes: number): string {
  return processes === 1 ? '1 process' : `${processes} processes`;
}
