import { MalformedTsidError, TsidOutOfRangeError } from './tsid-error.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = '11 characters of 0-9, A-Z, a-z that stay under 2^64';
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, value]));
const MAX = 2n ** 64n - 1n;
/** 62^5: five characters are a number that needs no bigint. */
const FIVE = 916_132_832;

/** 11 characters; digits sort before upper before lower case, so texts sort as the numbers do. */
export function toBase62(id: bigint): string {
  if (id < 0n || id > MAX) throw new TsidOutOfRangeError('id', id, '0 to 2^64 - 1');
  const upper = Number(id / BigInt(FIVE));
  return write(Math.floor(upper / FIVE), 1) + write(upper % FIVE, 5) + write(Number(id % BigInt(FIVE)), 5);
}

/**
 * Reads exactly what {@link toBase62} writes.
 * @throws MalformedTsidError for anything else.
 */
export function parseBase62(text: string): bigint {
  return parse(text, text);
}

/** Like {@link parseBase62}; also takes texts without their leading zeros, and surrounding white space. */
export function parseBase62Lenient(text: string): bigint {
  const trimmed = text.trim();
  return parse(text, trimmed === '' ? trimmed : trimmed.padStart(11, '0'));
}

function write(value: number, width: number): string {
  let text = '';
  for (let rest = value; text.length < width; rest = Math.floor(rest / 62))
    text = ALPHABET.charAt(rest % 62) + text;
  return text;
}

function parse(original: string, text: string): bigint {
  const upper = text.length === 11 ? read(text.slice(0, 6)) : Number.NaN;
  const lower = read(text.slice(6));
  const id = Number.isNaN(upper + lower) ? MAX + 1n : BigInt(upper) * BigInt(FIVE) + BigInt(lower);
  if (id > MAX) throw new MalformedTsidError(original, FORM);
  return id;
}

function read(text: string): number {
  let value = 0;
  for (const character of text) value = value * 62 + (VALUES.get(character) ?? Number.NaN);
  return value;
}
