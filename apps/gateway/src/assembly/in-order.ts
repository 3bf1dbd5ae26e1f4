import type { Logger } from 'pino';

/** One after the other; what fails is logged and keeps nothing from its turn. */
export async function inOrder(logger: Logger, steps: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      logger.error({ err: error }, 'a part did not stop in good order');
    }
  }
}
