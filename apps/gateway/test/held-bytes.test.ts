import { afterEach, expect, test } from '@jest/globals';
import { HeldBytes } from '../src/budget/held-bytes.js';

/** One account of the bytes that clients make a process hold. */
const MEGABYTE = 1_000_000;
let nowMs = 0;
let held = new HeldBytes(() => nowMs);

afterEach(() => {
  held.stop();
  held = new HeldBytes(() => nowMs);
});

test('an address is limited, and others are not affected', () => {
  for (let index = 0; index < 16; index += 1) expect(held.open('a').resize(MEGABYTE)).toBe(true);
  expect(held.open('a').resize(1)).toBe(false);
  expect(held.open('b').resize(MEGABYTE)).toBe(true);
});

test('the process is limited, however many addresses there are', () => {
  for (let index = 0; index < 64; index += 1) expect(held.open(`a${index}`).resize(MEGABYTE)).toBe(true);
  expect(held.open('b').resize(1)).toBe(false);
});

test('what has ended is not counted any more, whatever is reported late', () => {
  const holding = held.open('a');
  holding.resize(MEGABYTE);
  holding.end();
  holding.resize(MEGABYTE);
  holding.end();
  expect(held.byteCount).toBe(0);
});

test('a client that reads nothing is disconnected; one that reads slowly is not', () => {
  const cut: string[] = [];
  const idle = held.open('a', () => cut.push('idle'));
  const slow = held.open('a', () => cut.push('slow'));
  idle.resize(1_000);
  slow.resize(1_000);
  for (let second = 1; second <= 40; second += 1) {
    nowMs += 1_000;
    idle.resize(1_000 + second);
    slow.resize(1_000 - second);
    held.sweep();
    if (second === 29) expect(cut).toEqual([]);
    if (cut.length > 0) idle.end();
  }
  expect(cut).toEqual(['idle']);
});
