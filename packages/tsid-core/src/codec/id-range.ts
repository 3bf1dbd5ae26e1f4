import { MalformedTsidError, TsidOutOfRangeError } from './tsid-error.js';

/** The largest ID: all 64 bits. */
export const ID_MAX = 2n ** 64n - 1n;

/** Rejects anything but an unsigned 64-bit bigint, instead of masking or rounding it. */
export function checkId(id: bigint): void {
  if (typeof id === 'bigint' && id >= 0n && id <= ID_MAX) return;
  const fault =
    typeof id === 'bigint' ? 'is not within 0 to 2^64 - 1' : `is of type ${typeof id}, not a bigint`;
  throw new TsidOutOfRangeError('id', id, `The id ${String(id)} ${fault}.`);
}

/**
 * Rejects anything but text. JavaScript would convert it, but a number of 2^53 or more is already rounded.
 * @throws MalformedTsidError
 */
export function checkText(text: string, form: string): void {
  if (typeof text !== 'string') throw new MalformedTsidError(text, form);
}

/** Rejects a value that does not fit its field, instead of masking it. */
export function checkField(
  field: 'node' | 'time' | 'sequence',
  value: number,
  min: number,
  max: number,
): void {
  const fault = wholeFault(field, value, [min, max]);
  if (fault) throw new TsidOutOfRangeError(field, value, fault);
}

/** Describes why a value is not a whole number from min to max; empty if it is one. */
export function wholeFault(
  name: string,
  value: number,
  [min, max]: readonly [min: number, max: number],
): string {
  const isFit = Number.isInteger(value) && value >= min && value <= max;
  const shown = typeof value === 'number' ? value : `of type ${typeof value}`;
  return isFit ? '' : `${name} is ${shown}: use a whole number from ${min} to ${max}.`;
}
