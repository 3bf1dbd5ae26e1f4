type NamesOf<Options> = Options extends unknown ? keyof Options : never;

/**
 * Refuses options that do not exist: a misspelled one would be ignored, and its default would apply in silence.
 *
 * @param known every option as a key
 * @throws a `Refusal` that lists them
 */
export function refuseUnknownOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<NamesOf<Options>, true>>,
  Refusal: new (message: string) => Error,
): void {
  const unknown = Object.keys(options).find((name) => !(name in known));
  if (unknown === undefined) return;
  throw new Refusal(`There is no option ${unknown}: use ${Object.keys(known).join(', ')}.`);
}
