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
      at('promote with a slow clock'),
      at('start a process'),
      at('dump'),
      at('start a process that waits'),
      on('end without release', 0),
      at('restore the dump'),
      at('start a process that waits'),
    ],
  ],
  ['trustIsJustified', [at('restart empty'), at('start a process that trusts')]],
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
