import { checkWhole } from './contract/check-request.js';
import { InvalidRequestError } from './contract/numbering-error.js';
import type { NumberingEvents, NumberingOptions } from './contract/options.js';

/** As in `pg`. */
const CONNECTION_MAX = 10;

/** Options with their defaults and ranges. */
export interface Settings {
  readonly events: Required<NumberingEvents>;
  readonly now: () => number;
  readonly random: () => number;
  readonly lock: 'crowd' | 'always' | 'never';
  readonly lockTtlMs: number;
  readonly lockWaitMs: number;
  readonly batchMax: number;
  readonly writerTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly connectionMax: number;
}

/** @throws InvalidRequestError for a value out of range */
export function toSettings(options: NumberingOptions): Settings {
  return {
    events: quietEvents(options.events ?? {}),
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    lock: checkLock(options.lock ?? 'crowd'),
    lockTtlMs: checkWhole('lockTtlMs', options.lockTtlMs ?? 3000, [100, 60_000]),
    lockWaitMs: checkWhole('lockWaitMs', options.lockWaitMs ?? 100, [0, 1000]),
    batchMax: checkWhole('batchMax', options.batchMax ?? 2000, [1, 10_000]),
    writerTimeoutMs: checkWhole('writerTimeoutMs', options.writerTimeoutMs ?? 5000, [1, 3_600_000]),
    requestTimeoutMs: checkWhole('requestTimeoutMs', options.requestTimeoutMs ?? 10_000, [1, 3_600_000]),
    connectionMax: checkWhole('connectionMax', options.connectionMax ?? CONNECTION_MAX, [1, 10_000]),
  };
}

function checkLock(lock: Settings['lock']): Settings['lock'] {
  if (!['crowd', 'always', 'never'].includes(lock)) {
    throw new InvalidRequestError('lock', 'is crowd, always or never');
  }
  return lock;
}

function quietEvents(events: NumberingEvents): Required<NumberingEvents> {
  return {
    batchCommitted: quietly(events.batchCommitted),
    lockWaited: quietly(events.lockWaited),
    versionConflicted: quietly(events.versionConflicted),
    fellBack: quietly(events.fellBack),
    storeRetried: quietly(events.storeRetried),
    widthWarned: quietly(events.widthWarned),
    regressionFound: quietly(events.regressionFound),
    sweepFailed: quietly(events.sweepFailed),
    releaseFailed: quietly(events.releaseFailed),
  };
}

/** A metric that fails must not cost a number. */
function quietly<Facts>(handler: ((facts: Facts) => void) | undefined): (facts: Facts) => void {
  return (facts) => {
    try {
      handler?.(facts);
    } catch {
      // Its owner has no other way to be told than the one that failed.
    }
  };
}
