/** A 64-bit time-sorted ID: 1 to 20 decimal digits without leading zeros. Created by {@link parseTsid}. */
export type Tsid = string & { readonly __brand: 'Tsid' };

/** A value of the API's `JSONObject` type. */
export type JsonObject = Readonly<Record<string, unknown>>;

const TSID_MAX = 2n ** 64n - 1n;
const DIGITS = /^(?:0|[1-9]\d{0,19})$/;

/** Whether a value is a TSID as the API writes it: decimal, no leading zeros, at most 18446744073709551615. */
export function isTsid(value: unknown): value is Tsid {
  return typeof value === 'string' && DIGITS.test(value) && BigInt(value) <= TSID_MAX;
}

/**
 * Parses a TSID from its decimal text or a bigint. Numbers are rejected, since JavaScript's numbers are only exact to
 * 53 bits.
 *
 * @throws TypeError
 */
export function parseTsid(value: string | bigint): Tsid {
  const text: unknown = typeof value === 'bigint' ? String(value) : value;
  if (isTsid(text)) return text;
  throw new TypeError('A TSID is 1 to 20 decimal digits without leading zeros, at most 18446744073709551615');
}
