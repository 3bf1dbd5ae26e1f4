import { type PostgresFailure, repeat } from '@solegate/postgres-infra';
import type { CommitOptions } from './commit-batch.js';
import type { CounterFloors } from './counter-floors.js';
import type { CounterQueue } from './counter-queue.js';
import { deadlineOf } from './draft.js';
import { openCounters } from './open-counters.js';
import { issueError } from './settle-draft.js';

/** How often new rows are tried at a server that takes no changes. */
const ATTEMPT_MAX = 8;

/**
 * Finds or creates the rows of counters that are new to this process. Never rejects.
 *
 * @returns false when it failed: then everybody who waits for one of the counters has the error
 */
export async function openQueues(
  counters: readonly CounterQueue[],
  { database, floors, random, events }: CommitOptions & { readonly floors: CounterFloors },
): Promise<boolean> {
  const unopened = counters.filter(({ counterId, waiting }) => counterId === undefined && waiting.length > 0);
  if (unopened.length === 0) return true;
  const addresses = unopened.map(({ address }) => address);
  const deadline = deadlineOf(unopened.flatMap(({ waiting }) => waiting));
  const onRetry = ({ attempt, failure }: { attempt: number; failure: PostgresFailure }) =>
    events.storeRetried?.({ attempt, error: failure });
  try {
    const open = () => openCounters(database.changing(deadline), addresses);
    const opened = await repeat(open, { deadline, random, onRetry, attemptMax: ATTEMPT_MAX });
    floors.server = opened.server;
    for (const counter of unopened) counter.open(opened.counters.get(counter.key));
    return true;
  } catch (error) {
    for (const counter of counters) {
      for (const issue of counter.waiting.splice(0)) issue.fail(issueError(error, issue));
    }
    return false;
  }
}
