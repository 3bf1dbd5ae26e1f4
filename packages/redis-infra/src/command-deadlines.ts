import type { Command } from 'ioredis';

/** Said of a command that ended before it was written to a socket. */
export const neverSent = 'Redis was not connected; the command was not sent';

interface WatchedCommand {
  readonly command: Command;
  readonly endsAtMs: number;
}

/**
 * Ends commands that got no answer in time. All commands of one connection wait equally long, so they end in the
 * order in which they were sent and one timer serves them all.
 *
 * A process whose event loop stalls (garbage collection, a burst of work) finds its timers due before it has read
 * the answers that arrived meanwhile. So a due command is given one more turn of the loop, in which the sockets
 * are read, before it is called unanswered: a slow process is not mistaken for a slow Redis.
 */
export class CommandDeadlines {
  readonly #timeoutMs: number;
  readonly #withdraw: (command: Command) => boolean;
  #waiting: WatchedCommand[] = [];
  #isArmed = false;

  /**
   * @param timeoutMs from being sent, or put into the offline queue, to the end
   * @param withdraw takes a command out of the offline queue and tells whether it was there: a command that nobody
   *   waits for any more is not sent when Redis comes back, and does not fill the memory until then
   */
  constructor(timeoutMs: number, withdraw: (command: Command) => boolean) {
    this.#timeoutMs = timeoutMs;
    this.#withdraw = withdraw;
  }

  watch(command: Command): void {
    this.#waiting.push({ command, endsAtMs: performance.now() + this.#timeoutMs });
    if (!this.#isArmed) this.#arm(this.#timeoutMs);
  }

  #arm(delayMs: number): void {
    this.#isArmed = true;
    setTimeout(() => setImmediate(() => this.#endDue()), delayMs).unref();
  }

  #endDue(): void {
    const nowMs = performance.now();
    let endedCount = 0;
    for (const { command, endsAtMs } of this.#waiting) {
      if (!command.isResolved) {
        if (endsAtMs > nowMs) break;
        command.reject(new Error(this.#withdraw(command) ? neverSent : 'Command timed out'));
      }
      endedCount += 1;
    }
    this.#waiting = this.#waiting.slice(endedCount);
    const [next] = this.#waiting;
    this.#isArmed = false;
    if (next) this.#arm(Math.max(1, next.endsAtMs - nowMs));
  }
}
