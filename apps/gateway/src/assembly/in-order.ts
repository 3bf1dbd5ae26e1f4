import type { Logger } from 'pino';

/** Runs the steps one after another. A failed step is logged, and the next one runs. */
export async function inOrder(logger: Logger, steps: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      logger.error({ err: error }, 'a part did not stop cleanly');
    }
  }
}
