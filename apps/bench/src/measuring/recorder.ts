import { LatencyHistogram } from './latency.js';

/** The answer to one caller. `kind` separates latencies (won, lost, issued …); the rest is evidence. */
export interface Answer {
  readonly kind: string;
  readonly [fact: string]: string | number;
}

/** A slice of a run: what callers saw in these milliseconds. */
interface TimelineSlice {
  /** Start of the slice on the shared clock. */
  readonly fromMs: number;
  readonly answered: number;
  readonly failed: number;
  readonly slowestMs: number;
}

/** One worker's record of one run. */
export interface RunRecord {
  readonly startedMs: number;
  /** When the last answer arrived. */
  readonly endedMs: number;
  /** Answers that arrived before the load ended; the rest were still in progress then. */
  readonly answeredInTime: number;
  readonly answered: number;
  /** Encoded histogram for each kind of answer. */
  readonly latencies: Readonly<Record<string, string>>;
  /** How many calls failed, by error code, and one message of each. */
  readonly failures: Readonly<Record<string, { readonly count: number; readonly example: string }>>;
  readonly answers: readonly Answer[];
  readonly timeline: readonly TimelineSlice[];
  /** Further counts of the subject itself (SQL statements, round trips …). */
  readonly counts: Readonly<Record<string, number>>;
}

/** Width of a timeline slice. */
export const TIMELINE_SLICE_MS = 100;

interface MutableSlice {
  answered: number;
  failed: number;
  slowestMs: number;
}

/**
 * Records what callers saw. It runs between a call and the next, so it must be cheap. Histograms are built after the
 * load: one of them takes as long as dozens of calls in a quick burst.
 */
export class Recorder {
  readonly #latenciesMs = new Map<string, number[]>();
  readonly #failures = new Map<string, { count: number; example: string }>();
  readonly #slices = new Map<number, MutableSlice>();
  readonly #answers: Answer[] = [];
  #answeredInTime = 0;
  #endedMs: number;

  /** @param deadlineMs answers after it do not count toward throughput; Infinity for a `list` load */
  constructor(
    private readonly startedMs: number,
    private readonly deadlineMs: number,
  ) {
    this.#endedMs = startedMs;
  }

  answered(answer: Answer, sinceMs: number, nowMs: number): void {
    const latenciesMs = this.#latenciesMs.get(answer.kind);
    if (latenciesMs === undefined) this.#latenciesMs.set(answer.kind, [nowMs - sinceMs]);
    else latenciesMs.push(nowMs - sinceMs);
    this.#answers.push(answer);
    if (nowMs <= this.deadlineMs) this.#answeredInTime += 1;
    this.#slice(nowMs, nowMs - sinceMs).answered += 1;
  }

  failed(error: unknown, sinceMs: number, nowMs: number): void {
    const code = errorCode(error);
    const known = this.#failures.get(code);
    if (known === undefined) this.#failures.set(code, { count: 1, example: errorText(error) });
    else known.count += 1;
    this.#slice(nowMs, nowMs - sinceMs).failed += 1;
  }

  record(counts: Readonly<Record<string, number>> = {}): RunRecord {
    const slices = [...this.#slices].sort(([left], [right]) => left - right);
    return {
      startedMs: this.startedMs,
      endedMs: this.#endedMs,
      answeredInTime: this.#answeredInTime,
      answered: this.#answers.length,
      latencies: Object.fromEntries(
        [...this.#latenciesMs].map(([kind, latenciesMs]) => [
          kind,
          LatencyHistogram.of(latenciesMs).encoded(),
        ]),
      ),
      failures: Object.fromEntries(this.#failures),
      answers: this.#answers,
      timeline: slices.map(([index, slice]) => ({ fromMs: index * TIMELINE_SLICE_MS, ...slice })),
      counts,
    };
  }

  #slice(nowMs: number, latencyMs: number): MutableSlice {
    if (nowMs > this.#endedMs) this.#endedMs = nowMs;
    const index = Math.floor(nowMs / TIMELINE_SLICE_MS);
    let slice = this.#slices.get(index);
    if (slice === undefined) {
      slice = { answered: 0, failed: 0, slowestMs: 0 };
      this.#slices.set(index, slice);
    }
    if (latencyMs > slice.slowestMs) slice.slowestMs = latencyMs;
    return slice;
  }
}

function errorCode(error: unknown): string {
  if (error instanceof Error) {
    const { code } = error as { code?: unknown };
    return typeof code === 'string' ? code : error.name;
  }
  return 'NOT_AN_ERROR';
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
