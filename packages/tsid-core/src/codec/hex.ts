import { checkId, checkText } from './id-range.js';
import { MalformedTsidError } from './tsid-error.js';

const STRICT = /^[0-9a-f]{16}$/;
const LENIENT = /^\s*(?:0x)?([0-9a-f]{1,16})\s*$/i;
const FORM = '16 lower-case hexadecimal digits';

/** 16 lower-case digits. Texts sort as the numbers do. */
export function toHex(id: bigint): string {
  checkId(id);
  return id.toString(16).padStart(16, '0');
}

/**
 * Reads exactly what {@link toHex} writes.
 * @throws MalformedTsidError for anything else.
 */
export function parseHex(text: string): bigint {
  checkText(text, FORM);
  if (!STRICT.test(text)) throw new MalformedTsidError(text, FORM);
  return BigInt(`0x${text}`);
}

/** Like {@link parseHex}; also accepts upper case, a 0x prefix, missing leading zeros and surrounding white space. */
export function parseHexLenient(text: string): bigint {
  checkText(text, FORM);
  const digits = LENIENT.exec(text)?.[1];
  if (digits === undefined) throw new MalformedTsidError(text, FORM);
  return BigInt(`0x${digits}`);
}
