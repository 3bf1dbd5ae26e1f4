import { expect, test } from '@jest/globals';
import { play } from '../src/run/play.js';
import type { PlannedFault } from '../src/schedule/schedule.js';

/** Everything within eight seconds: each store killed, cut off and stopped once, a gateway killed, a clock moved, a fail-over. */
const SCHEDULE: readonly PlannedFault[] = [
  { part: 'gateway0', kind: 'an hour ahead', atMs: 300, forMs: 1500 },
  { part: 'redis', kind: 'replies cut', atMs: 500, forMs: 300 },
  { part: 'postgres', kind: 'replies cut', atMs: 800, forMs: 300 },
  { part: 'redis', kind: 'emptied', atMs: 1500, forMs: 300 },
  { part: 'postgres', kind: 'stopped', atMs: 2000, forMs: 500 },
  { part: 'gateway0', kind: 'killed', atMs: 3000, forMs: 500 },
  { part: 'redis', kind: 'stopped', atMs: 3500, forMs: 1000 },
  { part: 'gateway1', kind: 'restarted', atMs: 5000, forMs: 200 },
  { part: 'postgres', kind: 'failed over', atMs: 5500, forMs: 200 },
];
const RUN = { seed: 1, durationMs: 8000, schedule: SCHEDULE } as const;

test('all faults at once break no promise', async () => {
  const { violations, thin } = await play(RUN);
  expect({ violations, thin }).toEqual({ violations: [], thin: [] });
});

test('all faults at once break no promise over two cells, each with its own faults', async () => {
  const schedule: readonly PlannedFault[] = [
    { part: 'otherCell', kind: 'replies cut', atMs: 500, forMs: 300 },
    { part: 'redis', kind: 'stopped', atMs: 1000, forMs: 1000 },
    { part: 'otherCell', kind: 'killed', atMs: 1500, forMs: 1500 },
    { part: 'gateway0', kind: 'restarted', atMs: 2000, forMs: 200 },
    { part: 'postgres', kind: 'failed over', atMs: 4500, forMs: 200 },
    { part: 'otherCell', kind: 'stopped', atMs: 6000, forMs: 500 },
  ];
  const { violations, thin } = await play({ ...RUN, schedule, cellCount: 2 });
  expect({ violations, thin }).toEqual({ violations: [], thin: [] });
});
