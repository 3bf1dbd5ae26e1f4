import type { BenchSettings } from '../measuring/result.js';

/** The settings of a run, with those that its result does not keep. */
export interface RunSettings extends BenchSettings {
  /** Sent with every request to a target; can contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The scenarios in which the control switch removes a guard. */
  readonly sabotage: ReadonlySet<string>;
}

/** Whether the user chose a shape of load other than those of the figures. */
export function hasOwnShape(settings: RunSettings): boolean {
  const { parallel, processes, ratePerSecond } = settings;
  return parallel !== undefined || processes !== undefined || ratePerSecond !== undefined;
}

/** Whether an experiment is part of the run. */
export function isChosen({ only }: RunSettings, id: string): boolean {
  return only === undefined || id.startsWith(only);
}
