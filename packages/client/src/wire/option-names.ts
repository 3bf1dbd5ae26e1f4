/**
 * Refuses options that do not exist: a misspelled one would be ignored, and its default would apply in silence.
 *
 * @param known every option as a key
 * @throws TypeError, which lists them
 */
export function refuseUnknownOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  const unknown = Object.keys(options).find((name) => !(name in known));
  if (unknown === undefined) return;
  throw new TypeError(`There is no option ${unknown}: use ${Object.keys(known).join(', ')}.`);
}
