import { defineLayout } from '../../src/index.js';

/** Few IDs a millisecond, so that borrowing soon runs ahead by longer than a process takes to start. */
export const SLOW = defineLayout({
  timeBits: 49,
  nodeBits: 10,
  sequenceBits: 5,
  epoch: Date.UTC(2020, 0, 1),
});
