/** What the command line asked for, complete. */
export interface RunSettings {
  readonly scenarios: readonly string[];
  /** Callers at once; absent: each experiment's own shapes, which the figures need. */
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
  /** Running gateways to send the load to; empty: in-process. */
  readonly targets: readonly string[];
  /** Sent with every request to a target. */
  readonly headers: Readonly<Record<string, string>>;
  /** The scenarios whose guard the control switch takes away. */
  readonly sabotage: ReadonlySet<string>;
}

/** Whether the user chose a shape of load instead of the shapes of the figures. */
export function hasOwnShape(settings: RunSettings): boolean {
  const { parallel, processes, ratePerSecond } = settings;
  return parallel !== undefined || processes !== undefined || ratePerSecond !== undefined;
}
