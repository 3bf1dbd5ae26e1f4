import { InvalidRequestError } from './numbering-error.js';

/** Checks a text of a request: its length, and that it can be stored and printed. @throws InvalidRequestError */
export function checkText(field: string, value: unknown, lengthMax: number): string {
  if (typeof value !== 'string' || value.length === 0) {
    throw new InvalidRequestError(field, 'is missing; give a text');
  }
  if (value.length > lengthMax)
    throw new InvalidRequestError(field, `is longer than ${lengthMax} characters`);
  if (hasControls(value)) throw new InvalidRequestError(field, 'has a character that cannot be printed');
  return value;
}

export function checkOptionalText(field: string, value: unknown, lengthMax: number): string | undefined {
  return value === undefined ? undefined : checkText(field, value, lengthMax);
}

/** @throws InvalidRequestError */
export function checkWhole(field: string, value: unknown, range: readonly [number, number]): number {
  const [min, max] = range;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
    throw new InvalidRequestError(field, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}

const idMax = 2n ** 63n - 1n;

/** A 63-bit identifier as decimal text. @throws InvalidRequestError */
export function checkId(field: string, value: bigint | string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = String(value);
  if (!/^\d{1,19}$/.test(text) || BigInt(text) < 1n || BigInt(text) > idMax) {
    throw new InvalidRequestError(field, `"${text}" is not a positive 63-bit number`);
  }
  return text;
}

/** Control characters, unpaired surrogates and invisible separators; tab and line breaks are allowed in no field. */
function hasControls(value: string): boolean {
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
    if (code >= 0xd800) return /[\p{Cc}\p{Cs}]/u.test(value);
  }
  return false;
}
