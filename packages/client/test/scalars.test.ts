import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isTsid, parseTsid } from '../src/index.js';

const MAX = 2n ** 64n - 1n;

test('every 64-bit number is a TSID, as text and as bigint', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, MAX), (id) => {
      expect(parseTsid(id)).toBe(String(id));
      expect(parseTsid(String(id))).toBe(String(id));
    }),
  );
});

test('a number of more than 64 bits, or below 0, is not a TSID', () => {
  fc.assert(
    fc.property(fc.oneof(fc.bigInt(MAX + 1n, 2n ** 80n), fc.bigInt(-(2n ** 64n), -1n)), (id) => {
      expect(isTsid(String(id))).toBe(false);
      expect(() => parseTsid(id)).toThrow(TypeError);
    }),
  );
});

test('a text is a TSID exactly if a bigint prints it that way', () => {
  const nearly = fc.stringMatching(/^[0-9 +-.eE]{0,22}$/);
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string()), (text) => {
      expect(isTsid(text)).toBe(/^\d+$/.test(text) && String(BigInt(text)) === text && BigInt(text) <= MAX);
    }),
  );
});

test.each([5, 5n, null, undefined, {}, ['5']])('anything but a text is not a TSID: %p', (value) => {
  expect(isTsid(value)).toBe(false);
});

test('a JavaScript number is refused, because it may already be rounded', () => {
  expect(() => parseTsid(5 as never)).toThrow(TypeError);
});
