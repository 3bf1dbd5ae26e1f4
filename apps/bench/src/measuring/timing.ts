import type { Load } from './load.js';

/** How long a side did its own work right before it was timed, and for how long it was timed, in each repeat. */
export interface Timing {
  readonly warmedMs: number;
  readonly timedMs: number;
}

/** With less, compilers, connections and caches are measured more than the work. */
export const WARMED_MS = 1000;
export const TIMED_MS = 3000;

/** The timing of a side under this load; undefined for a list, which lasts as long as its requests take. */
export function timingOf(load: Load): Timing | undefined {
  if (load.kind === 'list') return undefined;
  return { warmedMs: Math.min(WARMED_MS, load.durationMs), timedMs: load.durationMs };
}

/** Whether a side was warmed or timed for less than that. */
export function isCold({ warmedMs, timedMs }: Timing): boolean {
  return warmedMs < WARMED_MS || timedMs < TIMED_MS;
}
