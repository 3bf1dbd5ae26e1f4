/** Indexes of KEYS and ARGV, sorted: those that the header of a Lua script documents, and those that its code uses. */
export interface LuaFacts {
  /** Required fields that the header lacks. */
  readonly missingFields: readonly string[];
  readonly saidKeys: readonly string[];
  readonly usedKeys: readonly string[];
  readonly saidArguments: readonly string[];
  readonly usedArguments: readonly string[];
}

const requiredFields = ['purpose', 'returns', 'why atomic'];

/**
 * Reads a script: its header is the comment at the top. A script that reaches arguments by a computed index (`ARGV[i]`,
 * `#ARGV`, `unpack(ARGV)`) counts as using `n`, and its header says so with a range, such as `ARGV[2..n]`.
 */
export function readLuaFacts(source: string): LuaFacts {
  const lines = source.split('\n');
  const headerLength = lines.findIndex((line) => !line.startsWith('--'));
  const header = lines.slice(0, headerLength).join('\n');
  const code = lines
    .slice(headerLength)
    .map((line) => line.replace(/--.*$/, ''))
    .join('\n');
  return {
    missingFields: requiredFields.filter((field) => !new RegExp(`^-- ${field}\\b`, 'im').test(header)),
    saidKeys: indexes(header, 'KEYS'),
    usedKeys: indexes(code, 'KEYS'),
    saidArguments: indexes(header, 'ARGV'),
    usedArguments: indexes(code, 'ARGV'),
  };
}

/** `X[1]` gives 1; `X[2..n]`, `X[i]`, `#X` and `X` as a whole give n. */
function indexes(text: string, name: 'KEYS' | 'ARGV'): string[] {
  const found = new Set<string>();
  for (const [, bracket] of text.matchAll(new RegExp(`\\b${name}\\b(\\[[^\\]]*\\])?`, 'g'))) {
    const index = bracket?.slice(1, -1).trim() ?? '';
    found.add(/^\d+$/.test(index) ? index : 'n');
  }
  return [...found].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
