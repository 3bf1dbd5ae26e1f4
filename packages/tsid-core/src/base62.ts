import { checkId, ID_MAX } from './id-range.js';
import { MalformedTsidError } from './tsid-error.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const STRICT = /^[0-9A-Za-z]{11}$/;
const FORM = '11 characters 0-9A-Za-z up to 2^64 - 1';
/** 62^5: five characters are a number that needs no bigint, and so are six. */
const FIVE = 916_132_832n;

/** 11 characters; digits sort before upper before lower case, so texts sort as the numbers do. */
export function toBase62(id: bigint): string {
  checkId(id);
  return write(Number(id / FIVE), 6) + write(Number(id % FIVE), 5);
}

/**
 * Reads exactly what {@link toBase62} writes.
 * @throws MalformedTsidError for anything else.
 */
export function parseBase62(text: string): bigint {
  const id = STRICT.test(text)
    ? BigInt(read(text.slice(0, 6))) * FIVE + BigInt(read(text.slice(6)))
    : ID_MAX + 1n;
  if (id > ID_MAX) throw new MalformedTsidError(text, FORM);
  return id;
}

/** Like {@link parseBase62}; also takes texts without their leading zeros, and surrounding white space. */
export function parseBase62Lenient(text: string): bigint {
  return parseBase62(text.trim().replace(/^.+$/, (digits) => digits.padStart(11, '0')));
}

function write(value: number, width: number): string {
  let text = '';
  for (let rest = value; text.length < width; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text;
}

function read(text: string): number {
  let value = 0;
  for (const character of text) value = value * 62 + ALPHABET.indexOf(character);
  return value;
}
