import { FIRST } from './explore.js';
import type { Action, Assumptions, ProcessKind, ServerKind } from './world.js';

/*
 * For each assumption of the model, one order of events that leads to equal IDs without it. These are the ways that the
 * README lists.
 */

const pass = (ms: number): Action => ({ kind: 'pass', ms });
const on = (kind: ProcessKind, process: number): Action => ({ kind, process });
const at = (kind: ServerKind): Action => ({ kind });

export const witnesses: readonly (readonly [keyof Assumptions, readonly Action[]])[] = [
  [
    'holdersReturn',
    [
      at('stop all cleanly'),
      at('promote'),
      at('start a process that waits'),
      on('cut off', 0),
      at('resume the frozen master'),
      at('start a process'),
      pass(2_000),
      at('start a process'),
    ],
  ],
  [
    'absencesAreLong',
    [
      at('start a process'),
      at('promote'),
      ...[12_000, 12_000].flatMap((ms) => [pass(ms), on('renew', 0), on('renew', 1)]),
      pass(2_000),
      pass(2_000),
      pass(2_000),
      at('resume the frozen master'),
      at('start a process'),
    ],
  ],
  ['restoredKeysAreOld', [at('dump'), at('start a process'), at('restore the dump'), at('start a process')]],
  [
    'clocksAreClose',
    [
      at('stop all cleanly'),
      at('promote'),
      at('start a process that waits'),
      on('end without release', 0),
      at('resume it with a slow clock'),
      at('start a process that waits'),
    ],
  ],
  ['trustIsJustified', [at('restart empty'), at('start a process that trusts')]],
];

/** A window ends and its node is granted again; a master that knows of neither, a second behind, takes over. */
export const revivedWindow: readonly Action[] = [
  pass(12_000),
  at('start a process'),
  pass(12_000),
  ...[2_000, 2_000, 2_000].map(pass),
  at('dump'),
  at('start a process'),
  at('promote from the dump'),
  on('renew', 0),
];

/** Redis is ahead by 20 s when it extends a window, which a master that takes over does not know of. */
export const jumpedClock: readonly Action[] = [
  at('start a process'),
  at('dump'),
  at('clock forward by 20 s'),
  on('renew', 1),
  at('promote from the dump'),
  at('start a process that waits'),
];

/** Keys that remember released nodes only are restored while a process runs that was started later. */
export const restoredIdle: readonly Action[] = [
  at('stop all cleanly'),
  at('dump'),
  pass(36_000),
  at('start a process that waits'),
  at('restore the dump'),
  at('start a process'),
  pass(2_000),
  at('start a process'),
];

/** A master that is replaced follows its replacement, which does not know the last grant, and is promoted again. */
export const returnedReplica: readonly Action[] = [
  at('dump'),
  at('start a process'),
  at('promote from the dump'),
  at('promote it as a replica'),
  at('start a process'),
];

/** A quarantine opens while the clock of Redis is an hour behind, and would end when the clock is corrected. */
export const correctedClock: readonly Action[] = [
  on('release', 0),
  at('dump'),
  pass(2_000),
  at('start a process'),
  at('start a process'),
  at('clock back'),
  at('restart from the dump'),
  on('renew', 0),
  on('release', 0),
  at('clock forward'),
  at('start a process that waits'),
];

/** A process that ends releases its node in keys that were restored, which does not make them right. */
const releasedCopy: readonly Action[] = [
  pass(36_000),
  at('dump'),
  at('start a process that waits'),
  at('restore the dump'),
  on('release', 0),
  at('start a process that waits'),
];

const lateReport: readonly Action[] = [at('restart'), at('start a process that trusts'), on('renew', 0)];

const reportAtTheEnd: readonly Action[] = [
  ...[12_000, 12_000, 2_000].map(pass),
  at('restart'),
  on('renew', 0),
];

/** Orders that random ones hardly ever contain, each with the first event. */
export const rareOrders: readonly (readonly Action[])[] = [
  correctedClock,
  revivedWindow,
  jumpedClock,
  restoredIdle,
  returnedReplica,
  releasedCopy,
  lateReport,
  reportAtTheEnd,
].map((order) => [FIRST, ...order]);
