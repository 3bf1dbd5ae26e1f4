import { checkId } from './id-range.js';
import { TsidOutOfRangeError } from './tsid-error.js';

/** 8 bytes, most significant first, so they compare (memcmp) as the numbers do. */
export function toBytes(id: bigint): Uint8Array {
  checkId(id);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, id);
  return bytes;
}

/**
 * The inverse of {@link toBytes}.
 * @throws TsidOutOfRangeError when there are not exactly 8 bytes.
 */
export function parseBytes(bytes: Uint8Array): bigint {
  const byteCount = bytes instanceof Uint8Array ? bytes.length : Number.NaN;
  if (byteCount !== 8)
    throw new TsidOutOfRangeError('bytes', byteCount, `A TSID has 8 bytes, not ${byteCount}.`);
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0);
}
