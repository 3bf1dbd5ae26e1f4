import { credentials } from '../../session/identity.js';

/** What the gateway has counted since the start of the run; times as ISO 8601. */
export interface BreakState {
  readonly isRunning: boolean;
  readonly startedAt: string | null;
  /** When the last process ended; the run goes on until the ledger has been searched once more. */
  readonly endedAt: string | null;
  readonly processCount: number;
  readonly numberCount: number;
  readonly duplicateCount: number;
  readonly raceCount: number;
  readonly pressCount: number;
  readonly secondWinnerCount: number;
  readonly holeCount: number;
  /** When the last search that succeeded began. */
  readonly holesCheckedAt: string | null;
  readonly failedCount: number;
  readonly redisBackAt: string | null;
}

/** This gateway cannot be broken. */
export class NoBreakerError extends Error {
  override readonly name = 'NoBreakerError';
}

/**
 * Asks the gateway for its attempts to break itself, which are no part of its API.
 *
 * @param path `/redis` to stop Redis
 * @throws NoBreakerError that says why there is none
 */
export async function askBreaker(method: 'GET' | 'POST' | 'DELETE', path = ''): Promise<BreakState> {
  const response = await fetch(`/demo/break${path}`, {
    method,
    headers: { ...credentials(), accept: 'application/json', 'x-solegate-break': 'console' },
  });
  if (response.status === 404) {
    throw new NoBreakerError(
      'This gateway has stores that others may use. Start one with npm start, which brings its own.',
    );
  }
  if (!response.ok) throw new Error(`The gateway refused with HTTP ${response.status}.`);
  return (await response.json()) as BreakState;
}
