/** Whether one part works now; resolves to the reason when it does not. Must settle by itself. */
export type ReadinessProbe = () => Promise<string | undefined>;

export interface ReadinessOptions {
  /** By name, such as `postgres`. */
  readonly probes: Readonly<Record<string, ReadinessProbe>>;
  /** Parts of which one that works is enough: the others are reported as away. Default: each is needed. */
  readonly oneIsEnough?: readonly string[];
  /** Between two looks, in milliseconds. Default 500. */
  readonly intervalMs?: number;
  /** How long a part may be away before readiness turns red, in milliseconds. Default 2,000. */
  readonly toleranceMs?: number;
  /** Milliseconds; never goes back. Default `performance.now`. */
  readonly now?: () => number;
}

interface PartState {
  reason: string | undefined;
  /** Since when it does not work. */
  awaySinceMs: number | undefined;
}

/**
 * Whether a balancer should send requests here. The parts are looked at in the background, so a balancer's question costs
 * nothing and never hangs. A part that was away for longer than the tolerance turns readiness red, and its first good
 * answer turns it green again; a gateway that stops is red at once and stays so.
 */
export class Readiness {
  readonly #parts = new Map<string, PartState>();
  readonly #options: Required<ReadinessOptions>;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isDraining = false;

  constructor(options: ReadinessOptions) {
    const defaults = { intervalMs: 500, toleranceMs: 2_000, oneIsEnough: [], now: () => performance.now() };
    this.#options = { ...defaults, ...options };
    for (const name of Object.keys(options.probes)) {
      this.#parts.set(name, { reason: undefined, awaySinceMs: undefined });
    }
  }

  /** What is looked at, and the gateway itself. */
  get parts(): readonly string[] {
    return [...this.#parts.keys(), 'gateway'];
  }

  get probedParts(): readonly string[] {
    return [...this.#parts.keys()];
  }

  /** What does not work now, tolerated or not, and for how long. */
  away(): { readonly part: string; readonly reason: string; readonly awayMs: number }[] {
    const now = this.#options.now();
    return [...this.#parts].flatMap(([part, { reason, awaySinceMs }]) =>
      reason === undefined ? [] : [{ part, reason, awayMs: now - (awaySinceMs ?? now) }],
    );
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Looks once and then again and again. */
  async start(): Promise<void> {
    this.#isLooking = true;
    await this.look();
    this.#lookAgain();
  }

  #lookAgain(): void {
    this.#timer = setTimeout(() => {
      void this.look().then(() => {
        if (this.#isLooking) this.#lookAgain();
      });
    }, this.#options.intervalMs).unref();
  }

  /** Red from now on. */
  drain(): void {
    this.#isDraining = true;
  }

  stop(): void {
    this.#isLooking = false;
    clearTimeout(this.#timer);
  }

  /** Asks every part once. */
  async look(): Promise<void> {
    const { probes, now } = this.#options;
    await Promise.all(
      [...this.#parts].map(async ([name, state]) => {
        state.reason = await probes[name]?.();
        if (state.reason === undefined) state.awaySinceMs = undefined;
        else state.awaySinceMs ??= now();
      }),
    );
  }

  /** What does not work for longer than is tolerated, and why; empty when all is well. */
  red(): Record<string, string> {
    const { now, toleranceMs } = this.#options;
    const red = [...this.#parts].flatMap(([name, { reason, awaySinceMs }]) =>
      reason !== undefined && awaySinceMs !== undefined && now() - awaySinceMs >= toleranceMs
        ? [[name, reason]]
        : [],
    );
    return Object.fromEntries(this.#isDraining ? [...red, ['gateway', 'stopping']] : red);
  }

  /** Why no request should come, by part: what is red, unless it is one of those of which another one is enough. */
  reasons(): Record<string, string> {
    const red = this.red();
    const { oneIsEnough } = this.#options;
    if (oneIsEnough.every((name) => name in red)) return red;
    return Object.fromEntries(Object.entries(red).filter(([name]) => !oneIsEnough.includes(name)));
  }
}
