/** The short form of a drill in `npm test`, the long one in `npm run test:long`. */
export function longer<Value>(short: Value, long: Value): Value {
  return process.env.TSID_LONG === '1' ? long : short;
}
