import { highHalf, joinHalves, lowHalf, splitHalves } from './id-cell.js';
import { checkId, checkText } from './id-range.js';
import { MalformedTsidError } from './tsid-error.js';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const FORM = '13 upper-case Crockford characters up to FZZZZZZZZZZZZ';
const CODES = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const STRICT = decodingTable(ALPHABET);
const LENIENT = decodingTable(`${ALPHABET + ALPHABET.toLowerCase()}IiLlOo`);

/** The value of each character code below 128, or -1. I and L stand for 1, O for 0. */
function decodingTable(characters: string): Int8Array {
  const table = new Int8Array(128).fill(-1);
  for (const character of characters) {
    const canonical = character.toUpperCase().replace(/[IL]/, '1').replace('O', '0');
    table[character.charCodeAt(0)] = ALPHABET.indexOf(canonical);
  }
  return table;
}

/** 13 upper-case characters, as in `toString` of the Java tsid-creator. Texts sort as the numbers do. */
export function toCrockford(id: bigint): string {
  checkId(id);
  splitHalves(id);
  return writeCrockford(highHalf(), lowHalf());
}

/** Returns the Crockford text of the ID with these halves, as a flat string. */
export function writeCrockford(high: number, low: number): string {
  return String.fromCharCode(
    CODES[high >>> 28] as number,
    CODES[(high >>> 23) & 31] as number,
    CODES[(high >>> 18) & 31] as number,
    CODES[(high >>> 13) & 31] as number,
    CODES[(high >>> 8) & 31] as number,
    CODES[(high >>> 3) & 31] as number,
    CODES[((high & 7) << 2) | (low >>> 30)] as number,
    CODES[(low >>> 25) & 31] as number,
    CODES[(low >>> 20) & 31] as number,
    CODES[(low >>> 15) & 31] as number,
    CODES[(low >>> 10) & 31] as number,
    CODES[(low >>> 5) & 31] as number,
    CODES[low & 31] as number,
  );
}

/**
 * Reads exactly what {@link toCrockford} writes.
 * @throws MalformedTsidError for anything else.
 */
export function parseCrockford(text: string): bigint {
  checkText(text, FORM);
  return parse(text, text, STRICT);
}

/**
 * Like {@link parseCrockford}; also accepts lower case, I and L for 1, O for 0, hyphens between characters and
 * surrounding white space.
 */
export function parseCrockfordLenient(text: string): bigint {
  checkText(text, FORM);
  return parse(text, text.trim().replace(/(?<=.)-(?=.)/g, ''), LENIENT);
}

function parse(original: string, text: string, table: Int8Array): bigint {
  let high = 0;
  let low = 0;
  let seen = text.length === 13 ? 0 : -1;
  for (let index = 0; index < 13 && seen >= 0; index++) {
    const value = table[text.charCodeAt(index)] ?? -1;
    // Four bits from the first character and five from each of the others make 64. The seventh spans both halves.
    seen = index === 0 && value > 15 ? -1 : value;
    high = index < 6 ? (high << 5) | value : index === 6 ? (high << 3) | (value >>> 2) : high;
    low = index < 6 ? 0 : index === 6 ? value & 3 : (low << 5) | value;
  }
  if (seen < 0) throw new MalformedTsidError(original, FORM);
  return joinHalves(high, low);
}
