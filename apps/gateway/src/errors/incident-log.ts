import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';

/**
 * Assigns an incident ID to each unexpected error and logs it exactly once, even if it is reported several times.
 * Clients see only the ID.
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
