import { expect, test } from '@jest/globals';
import { toBase62, toCrockford, toHex } from '@solegate/tsid-core';
import { readingsOf } from '../src/views/nodes/readings.js';

/** IDs are read in the page, so that an outage of the gateway cannot make it deny one. */
const ID = 912448363604043402n;
const NOW_MS = Date.UTC(2026, 10, 23);

test.each([
  ['decimal', String(ID)],
  ['Crockford base 32', toCrockford(ID).toLowerCase()],
  ['base 62', toBase62(ID)],
  ['hexadecimal', toHex(ID)],
])('an ID in %s is read as such, before less likely ones', (spelling, text) => {
  expect(readingsOf(` ${text} `, NOW_MS)[0]).toMatchObject({ spelling, id: String(ID), isLikely: true });
});

test('a word that could be an ID of the first day of the epoch is unlikely, and other texts are none', () => {
  expect(readingsOf('hello', NOW_MS).map(({ isLikely }) => isLikely)).toEqual([false]);
  expect(readingsOf('not an ID!', NOW_MS)).toEqual([]);
  expect(readingsOf('', NOW_MS)).toEqual([]);
});
