import { Dice } from '@solegate/testkit';

/** One fault, `atMs` after the start. */
export type Fault =
  | { readonly kind: 'KILL_PROCESS'; readonly atMs: number; readonly process: number }
  | {
      readonly kind: 'PAUSE_PROCESS';
      readonly atMs: number;
      readonly process: number;
      readonly forMs: number;
    }
  | { readonly kind: 'LOSE_REDIS'; readonly atMs: number }
  | { readonly kind: 'PAUSE_REDIS'; readonly atMs: number; readonly forMs: number };

export interface ScheduleOptions {
  readonly seed: number;
  readonly durationMs: number;
  readonly processCount: number;
}

/** A fault about every 250 ms, two of three on processes; depends only on the seed. */
export function faultSchedule({ seed, durationMs, processCount }: ScheduleOptions): Fault[] {
  const dice = new Dice(seed);
  const faults: Fault[] = [];
  for (let atMs = dice.between(100, 400); atMs < durationMs; atMs += dice.between(100, 400)) {
    const process = dice.between(0, processCount - 1);
    const roll = dice.next();
    // Longer than a hold lives, so that others pass the gate meanwhile.
    if (roll < 0.4) faults.push({ kind: 'PAUSE_PROCESS', atMs, process, forMs: dice.between(500, 1600) });
    else if (roll < 0.6) faults.push({ kind: 'KILL_PROCESS', atMs, process });
    else if (roll < 0.85) faults.push({ kind: 'PAUSE_REDIS', atMs, forMs: dice.between(150, 550) });
    else faults.push({ kind: 'LOSE_REDIS', atMs });
  }
  return faults;
}
