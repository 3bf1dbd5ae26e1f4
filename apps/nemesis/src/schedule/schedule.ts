import { Dice } from '@solegate/testkit';

/** Faults of any PostgreSQL. */
const SERVER_FAULTS = [
  'killed',
  'back end killed',
  'stopped',
  'black-holed',
  'replies cut',
  'slowed',
  'connections ended',
  'read-only',
] as const;

/** The faults of each part of the system. A part suffers one fault at a time. */
export const FAULTS = {
  gateway0: ['killed', 'stopped', 'restarted', 'an hour ahead', 'an hour behind'],
  gateway1: ['killed', 'stopped', 'restarted', 'an hour ahead', 'an hour behind'],
  redis: ['killed', 'emptied', 'stopped', 'black-holed', 'replies cut', 'slowed'],
  postgres: [...SERVER_FAULTS, 'failed over'],
  /** The PostgreSQL of the second cell, which has no standby. */
  otherCell: SERVER_FAULTS,
} as const;

export type Part = keyof typeof FAULTS;
export type FaultKind = (typeof FAULTS)[Part][number];

/** One fault with its start and duration, in milliseconds since the callers began. */
export interface PlannedFault {
  readonly part: Part;
  readonly kind: FaultKind;
  readonly atMs: number;
  readonly forMs: number;
}

const PARTS = Object.keys(FAULTS) as Part[];
/** Pause before the first fault, and between two faults of one part. */
const CALM_MS = { min: 300, max: 2500 };
const FAULT_MS = { min: 200, max: 3000 };

/**
 * Returns the faults of one seed, in the order in which they begin. Faults of one part follow each other; faults of
 * different parts overlap at random. There is one standby, so PostgreSQL fails over at most once. A second cell does
 * not change the faults of the other parts.
 */
export function scheduleOf(seed: number, durationMs: number, cellCount = 1): PlannedFault[] {
  const dice = new Dice(seed);
  const parts = PARTS.filter((part) => part !== 'otherCell' || cellCount > 1);
  const faults = parts.flatMap((part) => faultsOf(part, dice, durationMs));
  return faults.sort((one, other) => one.atMs - other.atMs);
}

function faultsOf(part: Part, dice: Dice, durationMs: number): PlannedFault[] {
  const faults: PlannedFault[] = [];
  const kinds: FaultKind[] = [...FAULTS[part]];
  let atMs = dice.between(CALM_MS.min, CALM_MS.max);
  while (atMs + FAULT_MS.min < durationMs) {
    const kind = dice.pick(kinds);
    if (kind === 'failed over') kinds.splice(kinds.indexOf(kind), 1);
    const forMs = Math.min(dice.between(FAULT_MS.min, FAULT_MS.max), durationMs - atMs);
    faults.push({ part, kind, atMs, forMs });
    atMs += forMs + dice.between(CALM_MS.min, CALM_MS.max);
  }
  return faults;
}

export function faultWords({ part, kind, atMs, forMs }: PlannedFault): string {
  return `${(atMs / 1000).toFixed(1).padStart(5)} s  ${part} ${kind} for ${(forMs / 1000).toFixed(1)} s`;
}
