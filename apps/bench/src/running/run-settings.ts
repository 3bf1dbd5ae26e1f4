/** The settings of a run: the command line with defaults applied. */
export interface RunSettings {
  readonly scenarios: readonly string[];
  /** Of the numbers, the trips and the gateway, only experiments whose names begin with this. */
  readonly only?: string;
  /** Concurrent callers; absent: each experiment's own shapes, which the figures need. */
  readonly parallel?: number;
  readonly processes?: number;
  /** Length of one measured run; absent: each experiment's own. */
  readonly durationMs?: number;
  /** Open loop at this rate; absent: closed loop. */
  readonly ratePerSecond?: number;
  readonly repeatCount: number;
  readonly seed: number;
  /** A short run for CI: fewer repeats, shorter runs, only the subjects that the figures need. */
  readonly quick: boolean;
  /** Running gateways that receive the load; empty: run locally. */
  readonly targets: readonly string[];
  /** Sent with every request to a target. */
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
