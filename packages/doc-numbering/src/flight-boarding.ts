import type { CounterLine } from './counter-line.js';
import type { CounterLocks, LockAnswer, Pass } from './counter-locks.js';
import type { NumberingEvents } from './numbering-options.js';

export interface BoardingOptions {
  readonly locks: CounterLocks | undefined;
  readonly events: NumberingEvents;
  readonly now: () => number;
  readonly lockWaitMs: number;
}

/** How long Redis is not asked for a counter whose lock did not come. */
const bareMs = 500;

/**
 * Of the longest wait for a busy lock: how long the other lines of its flight wait for it. Their locks then pass from process
 * to process as one, and a commit serves all of them; without, each lock that is handed over makes a commit of its own.
 */
const boardingShare = 0.6;

/** Which lines a flight has: those that got a pass, until they leave to wait for their lock or for a pause. */
export class FlightBoarding {
  readonly #options: BoardingOptions;
  readonly #comeBack: (line: CounterLine) => void;
  readonly #away = new Set<CounterLine>();
  #isBoarding = true;

  /** `comeBack` is told when a line waits no longer for its lock. */
  constructor(options: BoardingOptions, comeBack: (line: CounterLine) => void) {
    this.#options = options;
    this.#comeBack = comeBack;
  }

  /** The lines that go on together; those whose locks are late come back with them. */
  async board(lines: readonly CounterLine[]): Promise<CounterLine[]> {
    const { locks, now } = this.#options;
    if (!locks) return [...lines];
    const askedMs = now();
    const asking = lines.filter((line) => line.pass === undefined && line.bareUntilMs <= askedMs);
    if (asking.length > 0) {
      const answers = await locks.take(asking.map(({ lockKey }) => lockKey));
      for (const [index, line] of asking.entries()) {
        const answer = answers[index];
        if (answer) this.#takeAnswer(line, answer, askedMs);
      }
      const coming = answers.flatMap((answer) => (answer.kind === 'queued' ? [answer.pass] : []));
      if (coming.length > 0) await settled(coming, this.#options.lockWaitMs * boardingShare);
    }
    this.#isBoarding = false;
    return lines.filter((line) => !this.#away.has(line));
  }

  #takeAnswer(line: CounterLine, answer: LockAnswer, askedMs: number): void {
    if (answer.kind !== 'queued') {
      this.#takePass(line, answer, askedMs);
      return;
    }
    line.state = 'queued';
    this.#away.add(line);
    void answer.pass.then((pass) => {
      this.#takePass(line, pass, askedMs);
      if (this.#isBoarding) {
        this.#away.delete(line);
        line.state = 'flying';
      } else this.#comeBack(line);
    });
  }

  #takePass(line: CounterLine, pass: Pass, askedMs: number): void {
    const { events, now } = this.#options;
    const outcome = pass.kind === 'held' ? 'held' : pass.reason === 'busy' ? 'timeout' : 'unavailable';
    events.lockWaited?.({ waitedMs: now() - askedMs, outcome });
    if (pass.kind === 'held') {
      line.pass = pass;
      if (pass.lock.hint) line.hear(pass.lock.hint);
      return;
    }
    events.fellBack?.({ reason: pass.reason });
    if (pass.reason === 'busy') line.bareUntilMs = now() + bareMs;
    line.pass = pass;
  }

  isAway(line: CounterLine): boolean {
    return this.#away.has(line);
  }

  /** The line goes, without its lock; it may be in another flight before this one ends. */
  leave(line: CounterLine): void {
    this.giveLocks([line]);
    this.#away.add(line);
  }

  /** After the flight: locks are kept or given back, with where their counters stand. */
  giveLocks(lines: readonly CounterLine[]): void {
    const held = lines.flatMap(({ pass, standing }) =>
      pass?.kind === 'held' ? [{ lock: pass.lock, standing }] : [],
    );
    for (const line of lines) line.pass = undefined;
    this.#options.locks?.give(held);
  }
}

/** When all promises are kept, or after a while; they never fail. */
function settled(promises: readonly Promise<unknown>[], timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    void Promise.all(promises).then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
