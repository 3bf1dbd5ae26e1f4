import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

export interface TimedCall<Value> {
  readonly value: Value;
  /** From call to answer, less the longest time in which this process was not run at all, in milliseconds. */
  readonly elapsedMs: number;
}

/**
 * Times calls on a busy machine. A promise about the time of a call cannot hold while the process itself is
 * not run, so the longest stall of the event loop during the call is taken off.
 */
export async function timeCall<Value>(call: () => Promise<Value>): Promise<TimedCall<Value>> {
  const delays: IntervalHistogram = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const beganAt = performance.now();
  const value = await call();
  const elapsedMs = performance.now() - beganAt;
  delays.disable();
  const stallMs = Number.isFinite(delays.max) && delays.max > 0 ? delays.max / 1e6 : 0;
  return { value, elapsedMs: elapsedMs - Math.max(0, stallMs - 2) };
}
