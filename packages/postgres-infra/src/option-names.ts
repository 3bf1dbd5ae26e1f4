/**
 * Refuses options that do not exist: a misspelled one would be ignored, and its default would apply in silence.
 *
 * @param known every option as a key
 * @throws what `refuse` returns, with the name and the nearest known one
 */
export function refuseUnknownOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<keyof Options, unknown>>,
  refuse: (name: string, problem: string) => Error,
): void {
  const names = Object.keys(known);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw refuse(unknown, `is no option; the nearest is ${nearestName(unknown, names).name}`);
}

/**
 * Finds the known name that an unknown one resembles most, and how many letters have to be added, removed or replaced.
 * Capital and small letters count as the same.
 *
 * @param names at least one
 */
export function nearestName(
  unknown: string,
  names: readonly string[],
): { readonly name: string; readonly letterCount: number } {
  const found = names.map((name) => ({ name, letterCount: distance(unknown, name) }));
  return found.reduce((nearest, one) => (one.letterCount < nearest.letterCount ? one : nearest));
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [rowIndex, letter] of [...a.toLowerCase()].entries()) {
    const next = [rowIndex + 1];
    for (const [index, other] of [...b.toLowerCase()].entries()) {
      const replaced = (row[index] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
