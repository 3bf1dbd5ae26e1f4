import { TsidOutOfRangeError } from './tsid-error.js';

/** The largest ID: all 64 bits. */
export const ID_MAX = 2n ** 64n - 1n;

/** Refuses what is no unsigned 64-bit number, instead of masking it. */
export function checkId(id: bigint): void {
  if (id < 0n || id > ID_MAX)
    throw new TsidOutOfRangeError('id', id, `The id ${id} is not within 0 to 2^64 - 1.`);
}

/** Refuses what does not fit a field, instead of masking it. */
export function checkField(
  field: 'node' | 'time' | 'sequence',
  value: number,
  min: number,
  max: number,
): void {
  const fault = wholeFault(field, value, [min, max]);
  if (fault) throw new TsidOutOfRangeError(field, value, fault);
}

/** What is wrong with a value that should be a whole number from min to max; empty if nothing is. */
export function wholeFault(
  name: string,
  value: number,
  [min, max]: readonly [min: number, max: number],
): string {
  const isFit = Number.isInteger(value) && value >= min && value <= max;
  return isFit ? '' : `${name} is ${value}: use a whole number from ${min} to ${max}.`;
}
