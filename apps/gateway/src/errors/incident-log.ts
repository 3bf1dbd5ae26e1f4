import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';

/**
 * Gives each unexpected error an incident ID and writes it to the log exactly once, however many places meet it. The
 * client sees the ID and nothing else of the error.
 */
export class IncidentLog {
  readonly #known = new WeakMap<object, string>();

  constructor(private readonly logger: Logger) {}

  report(error: unknown, requestId?: string): string {
    const key = typeof error === 'object' && error !== null ? error : undefined;
    const known = key && this.#known.get(key);
    if (known !== undefined) return known;
    const incidentId = randomUUID();
    if (key) this.#known.set(key, incidentId);
    this.logger.error({ err: error, incidentId, requestId }, 'unexpected error');
    return incidentId;
  }
}
