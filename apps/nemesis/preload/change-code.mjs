/** Hooks of the module loader; see changed-code.mjs. */
let change;

export function initialize(data) {
  change = data;
}

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!url.endsWith(change.module)) return loaded;
  const source = String(loaded.source);
  if (!source.includes(change.text)) throw new Error(`${url} does not contain ${change.text}`);
  return { ...loaded, source: source.replaceAll(change.text, change.becomes) };
}
