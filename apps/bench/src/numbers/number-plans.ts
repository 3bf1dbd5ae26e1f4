import type { Load } from '../measuring/load.js';
import { TIMED_MS } from '../measuring/timing.js';
import { type CrewPlan, planned } from '../running/crew-plan.js';
import { hasOwnShape, type RunSettings } from '../running/run-settings.js';
import type { subjects } from './subjects/subjects.js';

type SubjectName = keyof typeof subjects;

/** One shape of load over one or many counters. */
export interface NumberPlan
  extends Pick<CrewPlan, 'id' | 'title' | 'parallel' | 'processes' | 'load' | 'warmUp' | 'subjects'> {
  readonly counterCount: number;
  /** In each process, a number of each counter. */
  readonly opening: Load;
}

/** Subjects that the figures need. */
const essential: readonly SubjectName[] = ['solegate', 'original design'];
const everyOption: readonly SubjectName[] = [
  'solegate',
  'solegate without Redis',
  'solegate, lock always',
  'original design',
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

/** Callers with and without a document on one counter, beside the two kinds alone. */
const mixed: readonly SubjectName[] = ['solegate, mixed callers', 'solegate'];
const pooled: readonly SubjectName[] = ['solegate through PgBouncer', 'upsert + ledger through PgBouncer'];

interface Shape {
  readonly what: 'hot' | 'spread' | 'writer' | 'pooled';
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
  {
    what: 'writer',
    processes: 1,
    callers: 100,
    subjects: [...writers, 'solegate writer, chained', ...mixed],
    quick: true,
  },
  { what: 'writer', processes: 4, callers: 25, subjects: writers },
  { what: 'writer', processes: 16, callers: 25, subjects: writers },
  { what: 'pooled', processes: 1, callers: 1, subjects: pooled },
];

const QUICK_MS = 400;

/**
 * A gateway runs for weeks: its code is optimized and its connections have planned their statements. Code is optimized
 * by being called, and processes share the calls, so each adds the length of a run to the first pass, up to this.
 */
const WARM_UP_MAX_MS = 8000;

const TITLES = {
  hot: 'numbers of one hot series',
  spread: 'numbers over 100 counters',
  writer: 'document and number in one commit',
  pooled: 'numbers through PgBouncer, without prepared names',
} as const;

/** The shapes that the figures need, or the one that the user requested. */
export function numberPlans(settings: RunSettings): NumberPlan[] {
  if (hasOwnShape(settings)) return ownShape(settings);
  const chosen = shapes.filter((shape) => shape.quick === true || !settings.quick);
  return chosen.map((shape) => planOf(shape, settings));
}

/** What the WAL of a number is counted with: callers of one process. */
export function walPlan(settings: RunSettings): NumberPlan {
  return planOf({ what: 'hot', processes: 1, callers: 100, subjects: walSubjects }, settings);
}

function planOf({ what, processes, callers, subjects }: Shape, settings: RunSettings): NumberPlan {
  const names = settings.quick && what === 'hot' ? essential : subjects;
  const load = { kind: 'closed', inFlight: processes * callers, durationMs: durationMs(settings) } as const;
  return numberPlan(load, {
    id: `numbers.${what}.${processes}x${callers}`,
    title: `${TITLES[what]}, ${processes} × ${callers.toLocaleString('en-US')} callers`,
    parallel: load.inFlight,
    processes,
    counterCount: counterCount(what),
    subjects: planned(names),
  });
}

function ownShape(settings: RunSettings): NumberPlan[] {
  const { parallel = 100, processes = 1, ratePerSecond } = settings;
  const isOpen = ratePerSecond !== undefined;
  const load = isOpen
    ? ({ kind: 'open', ratePerSecond, durationMs: durationMs(settings) } as const)
    : ({ kind: 'closed', inFlight: parallel, durationMs: durationMs(settings) } as const);
  const shape = isOpen ? `open${ratePerSecond}` : `${processes}x${Math.round(parallel / processes)}`;
  const how = isOpen
    ? `${ratePerSecond.toLocaleString('en-US')} arrivals a second`
    : `${parallel.toLocaleString('en-US')} callers`;
  return (['hot', 'spread'] as const).map((what) =>
    numberPlan(load, {
      id: `numbers.${what}.${shape}`,
      title: `${TITLES[what]}, ${how}, ${processes === 1 ? '1 process' : `${processes} processes`}`,
      parallel,
      processes,
      counterCount: counterCount(what),
      subjects: planned(what === 'spread' ? spread : settings.quick ? essential : everyOption),
    }),
  );
}

function numberPlan(
  load: Exclude<Load, { kind: 'list' }>,
  plan: Omit<NumberPlan, 'load' | 'warmUp' | 'opening'>,
): NumberPlan {
  const { parallel, processes, counterCount } = plan;
  const warmUpMs = Math.min(WARM_UP_MAX_MS, load.durationMs * processes);
  return {
    ...plan,
    load,
    warmUp: { ...load, durationMs: warmUpMs },
    opening: { kind: 'list', inFlight: parallel, count: counterCount * processes },
  };
}

function durationMs({ durationMs, quick }: RunSettings): number {
  return durationMs ?? (quick ? QUICK_MS : TIMED_MS);
}

function counterCount(what: Shape['what']): number {
  return what === 'spread' ? 100 : 1;
}
