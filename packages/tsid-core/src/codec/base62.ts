import { checkId, checkText, ID_MAX } from './id-range.js';
import { MalformedTsidError } from './tsid-error.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const STRICT = /^[0-9A-Za-z]{11}$/;
const FORM = '11 characters 0-9A-Za-z below 2^64';

/** 11 characters. Digits sort before upper case and upper before lower case, so texts sort as the numbers do. */
export function toBase62(id: bigint): string {
  checkId(id);
  let text = '';
  for (let rest = id; text.length < 11; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text;
}

/**
 * Reads exactly what {@link toBase62} writes.
 * @throws MalformedTsidError for anything else.
 */
export function parseBase62(text: string): bigint {
  checkText(text, FORM);
  const isFit = STRICT.test(text);
  let id = isFit ? 0n : ID_MAX + 1n;
  for (let index = 0; isFit && index < 11; index++)
    id = id * 62n + BigInt(ALPHABET.indexOf(text.charAt(index)));
  if (id > ID_MAX) throw new MalformedTsidError(text, FORM);
  return id;
}

/** Like {@link parseBase62}; also accepts missing leading zeros and surrounding white space. */
export function parseBase62Lenient(text: string): bigint {
  checkText(text, FORM);
  const digits = text.trim();
  return parseBase62(digits === '' ? digits : digits.padStart(11, '0'));
}
