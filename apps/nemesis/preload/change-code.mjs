/** Hooks of the module loader; see changed-code.mjs. */
let changes;

export function initialize(data) {
  changes = data;
}

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  const own = changes.filter(({ module }) => url.endsWith(module));
  if (own.length === 0) return loaded;
  let source = String(loaded.source);
  for (const { text, becomes } of own) {
    if (!source.includes(text)) throw new Error(`${url} does not contain ${text}`);
    source = source.replaceAll(text, becomes);
  }
  return { ...loaded, source };
}
