import type { Load } from '../measuring/load.js';
import { TIMED_MS } from '../measuring/timing.js';
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
  /** In each process, a number of each counter. */
  readonly opening: Load;
  readonly subjects: readonly PlannedSubject[];
}

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
const spread: readonly SubjectName[] = ['solegate', 'solegate without Redis', 'upsert + ledger'];
const alternatives: readonly SubjectName[] = [...spread, 'original design'];
const walSubjects: readonly SubjectName[] = ['solegate', 'original design', 'upsert + ledger', 'FOR UPDATE'];
const writers: readonly SubjectName[] = [
  'solegate writer',
  'solegate writer without Redis',
  'transaction a document',
];

interface Shape {
  readonly what: 'hot' | 'spread' | 'writer';
  readonly processes: number;
  /** Callers of each process. */
  readonly callers: number;
  readonly subjects: readonly SubjectName[];
  /** Also part of a quick run. */
  readonly quick?: true;
}

const shapes: readonly Shape[] = [
  { what: 'hot', processes: 1, callers: 1, subjects: alternatives },
  { what: 'hot', processes: 1, callers: 100, subjects: alternatives, quick: true },
  { what: 'hot', processes: 1, callers: 1000, subjects: [...essential, 'upsert + ledger'] },
  { what: 'hot', processes: 4, callers: 25, subjects: everyOption, quick: true },
  { what: 'hot', processes: 4, callers: 250, subjects: [...essential, 'upsert + ledger'] },
  { what: 'hot', processes: 16, callers: 25, subjects: alternatives },
  { what: 'spread', processes: 1, callers: 1, subjects: spread },
  { what: 'spread', processes: 1, callers: 100, subjects: spread, quick: true },
  { what: 'spread', processes: 4, callers: 25, subjects: [...spread, 'solegate, one row held'] },
  { what: 'spread', processes: 16, callers: 25, subjects: spread },
  { what: 'writer', processes: 1, callers: 1, subjects: writers },
  { what: 'writer', processes: 1, callers: 100, subjects: writers, quick: true },
  { what: 'writer', processes: 4, callers: 25, subjects: writers },
  { what: 'writer', processes: 16, callers: 25, subjects: writers },
];

/** 50 requests a second: the load that the original design was meant for. */
const ARRIVALS_PER_SECOND = 50;
const SPREAD_COUNT = 100;
const QUICK_MS = 400;

/**
 * A gateway runs for weeks: its code is optimized and its connections have planned their statements. Code is optimized
 * by being called, and processes share the calls, so several need longer than one.
 */
const WARM_UP_MS_PER_PROCESS = 2000;
const WARM_UP_MAX_MS = 8000;
const QUICK_WARM_UP_MS = 300;

/** The shapes that the figures need, or the one that the user requested. */
export function numberPlans(settings: RunSettings): NumberPlan[] {
  if (hasOwnShape(settings)) return ownShape(settings);
  const chosen = shapes.filter((shape) => shape.quick === true || !settings.quick);
  const plans = chosen.map((shape) => planOf(shape, settings));
  return settings.quick ? plans : [...plans, arrivals(settings)];
}

/** What the WAL of a number is counted with: callers of one process. */
export function walPlan(settings: RunSettings): NumberPlan {
  return planOf({ what: 'hot', processes: 1, callers: 100, subjects: walSubjects }, settings);
}

function planOf({ what, processes, callers, subjects }: Shape, settings: RunSettings): NumberPlan {
  const names = settings.quick && what === 'hot' ? essential : subjects;
  const parallel = processes * callers;
  const load = { kind: 'closed', inFlight: parallel, durationMs: durationMs(settings) } as const;
  return completed(settings, load, {
    id: `numbers.${what}.${processes}x${callers}`,
    title: `${TITLES[what]}, ${processes} × ${callers.toLocaleString('en-US')} callers`,
    parallel,
    processes,
    counterCount: what === 'spread' ? SPREAD_COUNT : 1,
    subjects: planned(names),
  });
}

function durationMs({ durationMs, quick }: RunSettings): number {
  return durationMs ?? (quick ? QUICK_MS : TIMED_MS);
}

function completed(
  { quick }: RunSettings,
  load: Exclude<Load, { kind: 'list' }>,
  plan: Omit<NumberPlan, 'load' | 'warmUp' | 'opening'>,
): NumberPlan {
  const { parallel, processes, counterCount } = plan;
  const warmUpMs = quick ? QUICK_WARM_UP_MS : Math.min(WARM_UP_MAX_MS, WARM_UP_MS_PER_PROCESS * processes);
  return {
    ...plan,
    load,
    warmUp: { ...load, durationMs: warmUpMs },
    opening: { kind: 'list', inFlight: parallel, count: counterCount * processes },
  };
}

const TITLES = {
  hot: 'numbers of one hot series',
  spread: 'numbers over 100 counters',
  writer: 'document and number in one commit',
} as const;

function ownShape(settings: RunSettings): NumberPlan[] {
  const { parallel = 100, processes = 1, ratePerSecond } = settings;
  const common = { durationMs: durationMs(settings) };
  const isOpen = ratePerSecond !== undefined;
  const load = isOpen
    ? ({ kind: 'open', ratePerSecond, ...common } as const)
    : ({ kind: 'closed', inFlight: parallel, ...common } as const);
  const shape = isOpen ? `open${ratePerSecond}` : `${processes}x${Math.round(parallel / processes)}`;
  const how = isOpen
    ? `${ratePerSecond.toLocaleString('en-US')} arrivals a second`
    : `${parallel.toLocaleString('en-US')} callers`;
  const suffix = `${how}, ${processes === 1 ? '1 process' : `${processes} processes`}`;
  return (['hot', 'spread'] as const).map((what) =>
    completed(settings, load, {
      id: `numbers.${what}.${shape}`,
      title: `${TITLES[what]}, ${suffix}`,
      parallel,
      processes,
      counterCount: what === 'spread' ? SPREAD_COUNT : 1,
      subjects: planned(what === 'spread' ? spread : settings.quick ? essential : everyOption),
    }),
  );
}

function arrivals(settings: RunSettings): NumberPlan {
  const load = {
    kind: 'open',
    ratePerSecond: ARRIVALS_PER_SECOND,
    durationMs: durationMs(settings),
  } as const;
  return completed(settings, load, {
    id: 'numbers.arrivals.50',
    title: `numbers, ${ARRIVALS_PER_SECOND} requests a second arrive whatever happens`,
    parallel: ARRIVALS_PER_SECOND,
    processes: 1,
    counterCount: 1,
    subjects: planned(essential),
  });
}

function planned(names: readonly SubjectName[]): PlannedSubject[] {
  return names.map((name) => ({ name, role: roleOf(name) }));
}

function roleOf(name: SubjectName): PlannedSubject['role'] {
  if (name.startsWith('solegate')) return 'solegate';
  return name.startsWith('original design') ? 'original' : 'rejected';
}
