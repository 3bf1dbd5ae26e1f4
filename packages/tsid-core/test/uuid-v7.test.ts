import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  compose,
  defineLayout,
  MalformedTsidError,
  parseUuidV7,
  TSID_41_10_13,
  TSID_42_10_12,
  TSID_53,
  toUuidV7,
} from '../src/index.js';

const LAYOUTS = [TSID_42_10_12, TSID_41_10_13, TSID_53];
const anyParts = fc.record({
  layout: fc.constantFrom(...LAYOUTS),
  elapsedMs: fc.nat(2 ** 31 - 1),
  node: fc.nat(31),
  sequence: fc.nat(127),
});
const idOf = ({
  layout,
  elapsedMs,
  node,
  sequence,
}: {
  layout: typeof TSID_53;
  elapsedMs: number;
  node: number;
  sequence: number;
}) => compose({ timeMs: layout.epochMs + elapsedMs * 100, node, sequence }, layout);

describe('an ID as a UUID of version 7', () => {
  /** The example of RFC 9562, appendix A.6: 2022-02-22T19:22:22.000Z, rand_a CC3, rand_b 18C4DC0C0C07398F. */
  const EXAMPLE = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';

  test('has time, version, variant and the bits after them where RFC 9562 A.6 has them', () => {
    const layout = defineLayout({ timeBits: 32, nodeBits: 12, sequenceBits: 20, epoch: 0x017f22e279b0 });
    const id = compose({ timeMs: 0x017f22e279b0, node: 0xcc3, sequence: 0x63137 }, layout);
    const text = toUuidV7(id, layout);
    expect(text).toBe('017f22e2-79b0-7cc3-98c4-dc0000000000');
    expect(text.slice(0, 26)).toBe(EXAMPLE.slice(0, 26));
    expect(parseUuidV7(text, layout)).toBe(id);
  });

  test('is read back as the same ID, in every layout', () => {
    fc.assert(
      fc.property(
        anyParts,
        (parts) => parseUuidV7(toUuidV7(idOf(parts), parts.layout), parts.layout) === idOf(parts),
      ),
    );
  });

  test('sorts as the IDs do', () => {
    fc.assert(
      fc.property(anyParts, anyParts, (one, other) => {
        const { layout } = one;
        const [first, second] = [idOf(one), idOf({ ...other, layout })];
        return first < second === toUuidV7(first, layout) < toUuidV7(second, layout);
      }),
    );
  });

  test.each([
    ['a UUIDv7 from elsewhere', EXAMPLE],
    ['upper case', '017F22E2-79B0-7CC3-98C4-D40000000000'],
    ['another version', '017f22e2-79b0-4cc3-98c4-d00000000000'],
    ['another variant', '017f22e2-79b0-7cc3-18c4-d00000000000'],
    ['more bits than the layout has', '017f22e2-79b0-7cc3-98c4-d40000000000'],
    ['a time before the epoch', '017f22e2-0000-7000-8000-000000000000'.replace('017f', '0000')],
    ['no UUID', 'x'],
  ])('is not read from %s', (_what, text) => {
    expect(() => parseUuidV7(text)).toThrow(MalformedTsidError);
  });
});
