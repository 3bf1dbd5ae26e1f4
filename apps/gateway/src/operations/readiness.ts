/** Checks one part; resolves to undefined, or to the reason why it does not work. Must settle by itself. */
export type ReadinessProbe = () => Promise<string | undefined>;

export interface ReadinessOptions {
  /** Probes by the name of their part, such as `postgres`. */
  readonly probes: Readonly<Record<string, ReadinessProbe>>;
  /** Parts without which nothing can be served: readiness is red once all of them are. The others are only reported. */
  readonly needed: readonly string[];
  /** How long a part can fail before readiness does, in milliseconds. Default 2,000. */
  readonly toleranceMs?: number;
  /** Monotonic clock in milliseconds. Default `performance.now`. */
  readonly now?: () => number;
}

/** Time between two rounds of probes. */
const INTERVAL_MS = 500;

interface PartState {
  reason: string | undefined;
  /** Since when it has not worked. */
  awaySinceMs: number | undefined;
}

/**
 * Decides whether load balancers should send requests to this gateway: while it can serve anything, since where one part is
 * away from every gateway, taking them all out would turn its outage into that of everything. Parts are probed in the
 * background, so health checks cost nothing and never hang. A part is red once it has failed for longer than the tolerance,
 * and green after its next successful probe. A gateway that is shutting down is red immediately and stays red.
 */
export class Readiness {
  readonly #parts = new Map<string, PartState>();
  readonly #options: Required<ReadinessOptions>;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isDraining = false;

  constructor(options: ReadinessOptions) {
    this.#options = { toleranceMs: 2_000, now: () => performance.now(), ...options };
    for (const name of Object.keys(options.probes)) {
      this.#parts.set(name, { reason: undefined, awaySinceMs: undefined });
    }
  }

  /** The probed parts and the gateway itself. */
  get parts(): readonly string[] {
    return [...this.#parts.keys(), 'gateway'];
  }

  get probedParts(): readonly string[] {
    return [...this.#parts.keys()];
  }

  /** Returns the parts that fail now, tolerated or not, and for how long. */
  away(): { readonly part: string; readonly reason: string; readonly awayMs: number }[] {
    const now = this.#options.now();
    return [...this.#parts].flatMap(([part, { reason, awaySinceMs }]) =>
      reason === undefined ? [] : [{ part, reason, awayMs: now - (awaySinceMs ?? now) }],
    );
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Probes once, then periodically. */
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
    }, INTERVAL_MS).unref();
  }

  /** Turns readiness red permanently. */
  drain(): void {
    this.#isDraining = true;
  }

  stop(): void {
    this.#isLooking = false;
    clearTimeout(this.#timer);
  }

  /** Probes every part once. */
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

  /** Returns the parts that have failed for longer than the tolerance, with reasons. */
  red(): Record<string, string> {
    const { now, toleranceMs } = this.#options;
    const red = [...this.#parts].flatMap(([name, { reason, awaySinceMs }]) =>
      reason !== undefined && awaySinceMs !== undefined && now() - awaySinceMs >= toleranceMs
        ? [[name, reason]]
        : [],
    );
    return Object.fromEntries(this.#isDraining ? [...red, ['gateway', 'stopping']] : red);
  }

  /** Returns why the gateway is not ready, by part; empty while it is. */
  reasons(): Record<string, string> {
    const red = this.red();
    const isNoneLeft = this.#options.needed.every((part) => part in red);
    const why = Object.entries(red).filter(
      ([part]) => part === 'gateway' || this.#options.needed.includes(part),
    );
    return isNoneLeft || this.#isDraining ? Object.fromEntries(why) : {};
  }
}
