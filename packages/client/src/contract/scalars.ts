/** A 64-bit time-sorted ID: 1 to 20 decimal digits without leading zeros. Make one with {@link parseTsid}. */
export type Tsid = string & { readonly __brand: 'Tsid' };

/** What `JSONObject` of the API holds. */
export type JsonObject = Readonly<Record<string, unknown>>;

const TSID_MAX = 2n ** 64n - 1n;
const DIGITS = /^(?:0|[1-9]\d{0,19})$/;

/** Whether this is a TSID as the API writes it: decimal, no leading zeros, at most 18446744073709551615. */
export function isTsid(value: unknown): value is Tsid {
  return typeof value === 'string' && DIGITS.test(value) && BigInt(value) <= TSID_MAX;
}

/**
 * A TSID out of what a program has: its decimal text, or a bigint. A number is refused, since JavaScript's numbers are
 * exact to 53 bits only.
 *
 * @throws TypeError
 */
export function parseTsid(value: string | bigint): Tsid {
  const text: unknown = typeof value === 'bigint' ? String(value) : value;
  if (isTsid(text)) return text;
  throw new TypeError('A TSID is 1 to 20 decimal digits without leading zeros, at most 18446744073709551615');
}
