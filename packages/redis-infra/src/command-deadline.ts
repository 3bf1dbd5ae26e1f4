import type { Command } from 'ioredis';

/** Said of a command that ended before it was written to a socket. */
export const neverSent = 'Redis was not connected; the command was not sent';

/** What ioredis says when the time of a command has passed. */
const timedOut = 'Command timed out';

/**
 * Ends a command that got no answer in time.
 *
 * A process whose event loop stalls (garbage collection, a burst of work) finds its timers due before it has read the
 * answers that arrived meanwhile. So a due command is given one more turn of the loop, in which the sockets are read,
 * before it is called unanswered: a slow process is not mistaken for a slow Redis.
 *
 * @param timeoutMs from being sent, or put into the offline queue, to the end
 * @param withdraw takes the command out of the offline queue and returns whether it was there: a command that nobody waits
 *   for any more is not sent when Redis comes back, and does not fill the memory until then
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
