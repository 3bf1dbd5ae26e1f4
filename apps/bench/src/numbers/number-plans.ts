import type { Load } from '../measuring/load.js';
import type { PlannedSubject } from '../running/crew-plan.js';
import { hasOwnShape, type RunSettings } from '../running/run-settings.js';
import type { subjects } from './subjects/subjects.js';

type SubjectName = keyof typeof subjects;

/** One shape of load over one or many counters. */
export interface NumberPlan {
  readonly id: string;
  readonly title: string;
  readonly parallel: number;
  readonly processes: number;
  readonly counterCount: number;
  readonly load: Load;
  readonly warmUp: Load;
  readonly subjects: readonly PlannedSubject[];
}

const roles: Record<SubjectName, PlannedSubject['role']> = {
  solegate: 'solegate',
  'solegate without Redis': 'solegate',
  'solegate, lock always': 'solegate',
  'solegate, one row held': 'solegate',
  'solegate writer': 'solegate',
  'solegate writer without Redis': 'solegate',
  'original design': 'original',
  'original design through TypeORM': 'original',
  'upsert + ledger': 'rejected',
  'FOR UPDATE': 'rejected',
  'version only': 'rejected',
  'nextval + ledger': 'rejected',
  'INCR + ledger': 'rejected',
  'transaction a document': 'rejected',
};

/** Subjects that the figures need. */
const essential: readonly SubjectName[] = ['solegate', 'original design'];
const everyOption: readonly SubjectName[] = [
  'solegate',
  'solegate without Redis',
  'solegate, lock always',
  'original design',
  'original design through TypeORM',
  'upsert + ledger',
  'FOR UPDATE',
  'version only',
  'nextval + ledger',
  'INCR + ledger',
];
const spread: readonly SubjectName[] = [
  'solegate',
  'solegate without Redis',
  'solegate, lock always',
  'upsert + ledger',
];
/** Subjects that show the cost of Redis. */
const withAndWithout: readonly SubjectName[] = ['solegate', 'solegate without Redis'];
const alternatives: readonly SubjectName[] = [...withAndWithout, 'original design', 'upsert + ledger'];
const writers: readonly SubjectName[] = [
  'solegate writer',
  'solegate writer without Redis',
  'transaction a document',
];

interface Shape {
  readonly what: 'hot' | 'spread' | 'writer' | 'arrivals';
  readonly processes: number;
  /** Callers of each process. */
  readonly callers: number;
  readonly subjects: readonly SubjectName[];
  readonly durationMs: number;
  /** Also part of a quick run. */
  readonly quick?: true;
}

/** Long enough that the first use of each of 100 counters, once per period, is a small part. */
const SPREAD_MS = 2000;

const shapes: readonly Shape[] = [
  { what: 'hot', processes: 1, callers: 1, subjects: alternatives, durationMs: 600 },
  { what: 'hot', processes: 1, callers: 100, subjects: everyOption, durationMs: 700, quick: true },
  { what: 'hot', processes: 1, callers: 1000, subjects: [...essential, 'upsert + ledger'], durationMs: 1000 },
  { what: 'hot', processes: 4, callers: 25, subjects: everyOption, durationMs: 700, quick: true },
  { what: 'hot', processes: 4, callers: 250, subjects: [...essential, 'upsert + ledger'], durationMs: 1000 },
  { what: 'hot', processes: 16, callers: 25, subjects: alternatives, durationMs: 1000 },
  { what: 'spread', processes: 1, callers: 1, subjects: withAndWithout, durationMs: SPREAD_MS },
  { what: 'spread', processes: 1, callers: 100, subjects: spread, durationMs: SPREAD_MS, quick: true },
  {
    what: 'spread',
    processes: 4,
    callers: 25,
    subjects: [...spread, 'FOR UPDATE', 'solegate, one row held'],
    durationMs: SPREAD_MS,
  },
  {
    what: 'spread',
    processes: 16,
    callers: 25,
    subjects: [...withAndWithout, 'upsert + ledger'],
    durationMs: SPREAD_MS,
  },
  { what: 'writer', processes: 1, callers: 1, subjects: writers, durationMs: 600 },
  { what: 'writer', processes: 1, callers: 100, subjects: writers, durationMs: 700, quick: true },
  { what: 'writer', processes: 4, callers: 25, subjects: writers, durationMs: 700 },
  { what: 'writer', processes: 16, callers: 25, subjects: writers, durationMs: 1000 },
];

/** 50 requests a second: the load that the original design was meant for. */
const ARRIVALS_PER_SECOND = 50;

/**
 * A gateway runs for weeks: its code is optimized and its connections have planned their statements. Code is optimized
 * by being called, and processes share the calls, so several need longer than one.
 */
const WARM_UP_MS_PER_PROCESS = 2000;
const WARM_UP_MAX_MS = 8000;
const QUICK_WARM_UP_MS = 300;

/** The shapes that the figures need, or the one that the user requested. */
export function numberPlans(settings: RunSettings): NumberPlan[] {
  return coldPlans(settings).map((plan) => {
    const durationMs = settings.quick
      ? QUICK_WARM_UP_MS
      : Math.min(WARM_UP_MAX_MS, WARM_UP_MS_PER_PROCESS * plan.processes);
    return { ...plan, warmUp: { ...plan.load, durationMs } };
  });
}

type ColdPlan = Omit<NumberPlan, 'warmUp'> & { readonly load: Exclude<Load, { kind: 'list' }> };

function coldPlans(settings: RunSettings): ColdPlan[] {
  if (hasOwnShape(settings)) return ownShape(settings);
  const chosen = shapes.filter((shape) => shape.quick === true || !settings.quick);
  const plans = chosen.map((shape) => planOf(shape, settings));
  return settings.quick ? plans : [...plans, arrivals(settings.durationMs ?? 4000)];
}

function planOf({ what, processes, callers, subjects, durationMs }: Shape, settings: RunSettings): ColdPlan {
  const counterCount = what === 'spread' ? 100 : 1;
  const names = settings.quick ? subjects.filter((name) => isEssential(what, name)) : subjects;
  const parallel = processes * callers;
  return {
    id: `numbers.${what}.${processes}x${callers}`,
    title: `${TITLES[what]}, ${processes} × ${callers.toLocaleString('en-US')} callers`,
    parallel,
    processes,
    counterCount,
    load: {
      kind: 'closed',
      inFlight: parallel,
      durationMs: settings.durationMs ?? (settings.quick ? Math.min(400, durationMs) : durationMs),
    },
    subjects: planned(names),
  };
}

const TITLES = {
  hot: 'numbers of one hot series',
  spread: 'numbers over 100 counters',
  writer: 'document and number in one commit',
  arrivals: 'numbers, constant arrival',
} as const;

function isEssential(what: Shape['what'], name: SubjectName): boolean {
  return what === 'hot' ? essential.includes(name) : true;
}

function ownShape(settings: RunSettings): ColdPlan[] {
  const { parallel = 100, processes = 1, durationMs = 2000, ratePerSecond } = settings;
  const load: ColdPlan['load'] =
    ratePerSecond === undefined
      ? { kind: 'closed', inFlight: parallel, durationMs }
      : { kind: 'open', ratePerSecond, durationMs };
  const shape =
    ratePerSecond === undefined ? `${processes}x${Math.round(parallel / processes)}` : `open${ratePerSecond}`;
  const how =
    ratePerSecond === undefined
      ? `${parallel.toLocaleString('en-US')} callers`
      : `${ratePerSecond.toLocaleString('en-US')} arrivals a second`;
  const common = { parallel, processes, load };
  const suffix = `${how}, ${processes === 1 ? '1 process' : `${processes} processes`}`;
  return [
    {
      ...common,
      id: `numbers.hot.${shape}`,
      title: `${TITLES.hot}, ${suffix}`,
      counterCount: 1,
      subjects: planned(settings.quick ? essential : everyOption),
    },
    {
      ...common,
      id: `numbers.spread.${shape}`,
      title: `${TITLES.spread}, ${suffix}`,
      counterCount: 100,
      subjects: planned(spread),
    },
  ];
}

function arrivals(durationMs: number): ColdPlan {
  return {
    id: 'numbers.arrivals.50',
    title: `numbers, ${ARRIVALS_PER_SECOND} requests a second arrive whatever happens`,
    parallel: ARRIVALS_PER_SECOND,
    processes: 1,
    counterCount: 1,
    load: { kind: 'open', ratePerSecond: ARRIVALS_PER_SECOND, durationMs },
    subjects: planned(essential),
  };
}

function planned(names: readonly SubjectName[]): PlannedSubject[] {
  return names.map((name) => ({ name, role: roles[name] }));
}
