import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  MalformedTsidError,
  parseBase62,
  parseBase62Lenient,
  parseBytes,
  parseCrockford,
  parseCrockfordLenient,
  parseDecimal,
  parseDecimalLenient,
  parseHex,
  parseHexLenient,
  TsidOutOfRangeError,
  toBase62,
  toBytes,
  toCrockford,
  toDecimal,
  toHex,
} from '../src/index.js';
import { longer } from './fleet/longer.js';

interface Forms {
  decimal: string;
  crockford: string;
  base62: string;
  hex: string;
  bytes: number[];
}

const vectors: { source: string; forms: Forms[] } = JSON.parse(
  readFileSync(new URL('./golden/vectors.json', import.meta.url), 'utf8'),
);

const codecs = [
  { form: 'decimal', write: toDecimal, read: parseDecimal, lenient: parseDecimalLenient },
  { form: 'crockford', write: toCrockford, read: parseCrockford, lenient: parseCrockfordLenient },
  { form: 'base62', write: toBase62, read: parseBase62, lenient: parseBase62Lenient },
  { form: 'hex', write: toHex, read: parseHex, lenient: parseHexLenient },
] as const;

/** Every power of two with its neighbours: each bit, each carry, both ends. */
const boundaries = Array.from({ length: 65 }, (_, bit) => 2n ** BigInt(bit))
  .flatMap((power) => [power - 1n, power, power + 1n])
  .filter((value) => value < 2n ** 64n);

/** Values from a generator with a stated seed, so that a failure can be repeated. */
function* randomValues(count: number): Generator<bigint> {
  let state = 0x9e3779b97f4a7c15n;
  for (let index = 0; index < count; index++) {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    yield state ^ (state >> 29n);
  }
}

describe.each(codecs)('$form', ({ form, write, read, lenient }) => {
  test('agrees with the golden vectors of an independent implementation, both ways', () => {
    expect(vectors.forms.length).toBeGreaterThan(200);
    for (const vector of vectors.forms) {
      const id = BigInt(vector.decimal);
      expect(write(id)).toBe(vector[form]);
      expect(read(vector[form])).toBe(id);
      expect(lenient(vector[form])).toBe(id);
    }
  });

  test('reads back every boundary and random values', () => {
    for (const id of boundaries) expect(read(write(id))).toBe(id);
    let wrong: bigint | undefined;
    for (const id of randomValues(longer(100_000, 1_000_000))) if (read(write(id)) !== id) wrong ??= id;
    expect(wrong).toBeUndefined();
  });

  test('refuses 10,000 mutated texts, or they are the canonical text of another ID', () => {
    const edit = fc.record({
      id: fc.bigInt(0n, 2n ** 64n - 1n),
      at: fc.nat(20),
      kind: fc.constantFrom('replace', 'insert', 'remove', 'swap' as const),
      character: fc.oneof(
        fc.constantFrom(...'0zZGIiLlOoUu-+_ .\n\0é٣'),
        fc.string({ minLength: 1, maxLength: 1 }),
      ),
    });
    let refusedCount = 0;
    const mutated = fc.property(edit, ({ id, at, kind, character }) => {
      const text = write(id);
      const index = at % (text.length + 1);
      const tail = text.slice(index + (kind === 'insert' ? 0 : 1));
      const swapped = `${text[index + 1] ?? ''}${text[index] ?? ''}${text.slice(index + 2)}`;
      const middle = kind === 'remove' ? '' : character;
      const mutant = text.slice(0, index) + (kind === 'swap' ? swapped : middle + tail);
      try {
        return write(read(mutant)) === mutant;
      } catch (error) {
        refusedCount++;
        return error instanceof MalformedTsidError;
      }
    });
    fc.assert(mutated, { numRuns: 10_000 });
    expect(refusedCount).toBeGreaterThan(1_000);
  });

  test('writes only unsigned 64-bit numbers', () => {
    for (const id of [-1n, 2n ** 64n, 2n ** 80n]) expect(() => write(id)).toThrow(TsidOutOfRangeError);
  });

  test('accepts bigints and texts only: anything else was rounded or is not an ID', () => {
    for (const given of [2 ** 53, 7, null, undefined, {}, [], '7', true]) {
      expect(() => write(given as bigint)).toThrow(expect.objectContaining({ code: 'TSID_OUT_OF_RANGE' }));
      if (typeof given === 'string') continue;
      for (const parse of [read, lenient]) {
        expect(() => parse(given as unknown as string)).toThrow(
          expect.objectContaining({ code: 'MALFORMED_TSID', text: '' }),
        );
      }
    }
    expect(() => read((2 ** 53) as unknown as string)).toThrow(/type number is not a TSID.* as text/);
  });

  test('names the text and the form when it refuses', () => {
    const refuse = () => read('?!');
    expect(refuse).toThrow(MalformedTsidError);
    expect(refuse).toThrow(/^"\?!" is not a TSID: expected /);
  });
});

describe('fixed width', () => {
  test.each(['crockford', 'base62', 'hex'] as const)('%s texts sort as the numbers do', (form) => {
    const numbers = [...boundaries, ...randomValues(20_000)].sort((one, other) => (one < other ? -1 : 1));
    const { write } = codecs.find((codec) => codec.form === form) ?? codecs[1];
    const texts = numbers.map((id) => write(id));
    expect([...texts].sort()).toEqual(texts);
    expect(new Set(texts.map((text) => text.length)).size).toBe(1);
  });

  test('bytes compare as the numbers do, and read back', () => {
    const numbers = [...boundaries, ...randomValues(20_000)].sort((one, other) => (one < other ? -1 : 1));
    const bytes = numbers.map((id) => toBytes(id));
    expect(bytes.map((one) => parseBytes(one))).toEqual(numbers);
    expect(bytes.findIndex((one, index) => Buffer.compare(bytes[index - 1] ?? one, one) > 0)).toBe(-1);
    for (const vector of vectors.forms) expect([...toBytes(BigInt(vector.decimal))]).toEqual(vector.bytes);
    let wrong: bigint | undefined;
    for (const id of randomValues(longer(100_000, 1_000_000)))
      if (parseBytes(toBytes(id)) !== id) wrong ??= id;
    expect(wrong).toBeUndefined();
  });

  test('bytes are refused unless there are eight, and may lie anywhere in a buffer', () => {
    for (const length of [0, 7, 9])
      expect(() => parseBytes(new Uint8Array(length))).toThrow(TsidOutOfRangeError);
    for (const given of [null, '12345678', [1, 2, 3, 4, 5, 6, 7, 8]])
      expect(() => parseBytes(given as unknown as Uint8Array)).toThrow(TsidOutOfRangeError);
    const shelf = new Uint8Array(20).fill(0xff);
    shelf.set(toBytes(7n), 3);
    expect(parseBytes(shelf.subarray(3, 11))).toBe(7n);
  });
});

describe('lenient parsers', () => {
  test.each([
    ['decimal', parseDecimalLenient, ' 0042\n', 42n],
    ['decimal', parseDecimalLenient, '000', 0n],
    ['crockford', parseCrockfordLenient, '01226n0640j7k', 38_358_284_406_638_835n],
    ['crockford', parseCrockfordLenient, 'oi226n-o64o-j7k', 38_358_284_406_638_835n],
    ['crockford', parseCrockfordLenient, ' 0L226N0640J7K ', 38_358_284_406_638_835n],
    ['base62', parseBase62Lenient, ' z ', 61n],
    ['hex', parseHexLenient, '0xAB', 171n],
  ] as const)('%s reads %j', (_form, read, text, id) => {
    expect((read as (text: string) => bigint)(text)).toBe(id);
  });

  test.each([
    [parseDecimalLenient, ['', ' ', '1 2', '+1', '18446744073709551616', '1'.repeat(40)]],
    [parseCrockfordLenient, ['', 'U1226N0640J7K', 'G000000000000', '-01226N0640J7', '01226N0640J7KK']],
    [parseBase62Lenient, ['', ' ', 'zzzzzzzzzzz', '0123456789ab', 'a-b']],
    [parseHexLenient, ['', '0x', '10000000000000000', 'g']],
  ] as const)('refuse what has no single meaning', (read, texts) => {
    for (const text of texts)
      expect(() => (read as (text: string) => bigint)(text)).toThrow(MalformedTsidError);
  });

  test('read whatever the strict parsers read', () => {
    for (const { write, lenient } of codecs) {
      const ids = [...randomValues(2_000)];
      expect(ids.map((id) => lenient(write(id)))).toEqual(ids);
    }
  });
});

// The values that the tests of the Java tsid-creator (f4b6a3/tsid-creator, TsidTest.testToString2) state.
test('canonical texts are those of the Java tsid-creator', () => {
  expect(toCrockford(0xffff_ffff_ffff_ffffn)).toBe('FZZZZZZZZZZZZ');
  expect(toCrockford(10n)).toBe('000000000000A');
  expect(() => parseCrockford('G000000000000')).toThrow(MalformedTsidError);
});
