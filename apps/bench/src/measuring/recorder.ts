/** The answer to one caller. `kind` separates latencies (won, lost, issued …); the rest is evidence. */
export interface Answer {
  readonly kind: string;
  readonly [fact: string]: string | number;
}

/** One worker's record of one run. */
export interface RunRecord {
  readonly startedMs: number;
  /** When the last answer arrived. */
  readonly endedMs: number;
  /** Answers that arrived before the load ended; the rest were still in progress then. */
  readonly answeredInTime: number;
  readonly answered: number;
  /** In milliseconds, for each kind of answer. */
  readonly latencies: Readonly<Record<string, readonly number[]>>;
  /** How many calls failed, by error code, and one message of each. */
  readonly failures: Readonly<Record<string, { readonly count: number; readonly example: string }>>;
  readonly answers: readonly Answer[];
  /** Further counts of the subject itself (SQL statements, round trips …). */
  readonly counts: Readonly<Record<string, number>>;
}

/** Records what callers saw. It runs between a call and the next, so it must be cheap. */
export class Recorder {
  readonly #latenciesMs = new Map<string, number[]>();
  readonly #failures = new Map<string, { count: number; example: string }>();
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
    this.#endedMs = Math.max(this.#endedMs, nowMs);
  }

  failed(error: unknown, nowMs: number): void {
    const code = errorCode(error);
    const known = this.#failures.get(code);
    if (known === undefined) this.#failures.set(code, { count: 1, example: errorText(error) });
    else known.count += 1;
    this.#endedMs = Math.max(this.#endedMs, nowMs);
  }

  record(counts: Readonly<Record<string, number>> = {}): RunRecord {
    return {
      startedMs: this.startedMs,
      endedMs: this.#endedMs,
      answeredInTime: this.#answeredInTime,
      answered: this.#answers.length,
      latencies: Object.fromEntries(this.#latenciesMs),
      failures: Object.fromEntries(this.#failures),
      answers: this.#answers,
      counts,
    };
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
