/** Returns the first value in `npm test`, the second in `npm run test:long`. */
export function longer<Value>(short: Value, long: Value): Value {
  return process.env.TSID_LONG === '1' ? long : short;
}
