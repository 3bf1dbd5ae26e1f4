import type { Command } from 'ioredis';

/** Error message of a command that timed out before it was written to a socket. */
export const neverSent = 'Redis was not connected; the command was not sent';

/** Error message of ioredis when a command times out. */
const timedOut = 'Command timed out';

/**
 * Rejects a command that gets no reply in time.
 *
 * After a stall of the event loop (garbage collection, a burst of work), timers fire before the replies that arrived
 * meanwhile are read. An overdue command therefore gets one more turn of the loop, in which the sockets are read, so
 * that a slow process is not mistaken for a slow Redis.
 *
 * @param timeoutMs limit from when the command is sent or queued offline
 * @param withdraw removes the command from the offline queue and returns whether it was there. A command that timed out
 *   must not be sent when Redis recovers, and must not use memory until then
 */
export function endInTime(command: Command, timeoutMs: number, withdraw: () => boolean): void {
  const { reject } = command;
  command.reject = (error) => {
    if (error.message !== timedOut) return reject(error);
    setImmediate(() => {
      if (!command.isResolved) reject(withdraw() ? new Error(neverSent) : error);
    });
  };
  command.setTimeout(timeoutMs);
}
