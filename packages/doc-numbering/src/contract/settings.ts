import { checkWhole } from './check-request.js';
import type { NumberingObserver, NumberingOptions } from './numbering.js';
import { InvalidRequestError } from './numbering-error.js';

/** As in `pg`. */
const CONNECTION_MAX = 10;

/** What all parts of a numbering are made with. */
export type Settings = ReturnType<typeof toSettings>;

/** Options with their defaults, in their ranges. @throws InvalidRequestError for a value out of range */
export function toSettings(options: NumberingOptions) {
  const { lock = 'crowd', observer = {}, now = Date.now, random = Math.random } = options;
  if (!['crowd', 'always', 'never'].includes(lock)) {
    throw new InvalidRequestError('lock', 'is crowd, always or never');
  }
  return {
    observer: quietly(observer),
    now,
    random,
    lock,
    lockTtlMs: checkWhole('lockTtlMs', options.lockTtlMs ?? 3000, [100, 60_000]),
    lockWaitMs: checkWhole('lockWaitMs', options.lockWaitMs ?? 100, [0, 1000]),
    batchMax: checkWhole('batchMax', options.batchMax ?? 2000, [1, 10_000]),
    writerTimeoutMs: checkWhole('writerTimeoutMs', options.writerTimeoutMs ?? 5000, [1, 3_600_000]),
    requestTimeoutMs: checkWhole('requestTimeoutMs', options.requestTimeoutMs ?? 10_000, [1, 3_600_000]),
    connectionMax: checkWhole('connectionMax', options.connectionMax ?? CONNECTION_MAX, [1, 10_000]),
  };
}

const eventNames = [
  'batchCommitted',
  'lockWaited',
  'versionConflicted',
  'fellBack',
  'storeRetried',
  'widthWarned',
  'regressionFound',
  'sweepFailed',
  'releaseFailed',
] as const satisfies readonly (keyof NumberingObserver)[];

/** A metric that fails must not cost a number. */
function quietly(observer: NumberingObserver): NumberingObserver {
  const quiet = eventNames.map((name) => [
    name,
    (facts: never) => {
      try {
        observer[name]?.(facts);
      } catch {
        // There is no other way to report it than the one that failed.
      }
    },
  ]);
  return Object.fromEntries(quiet);
}
