import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TrustedDocument extends AsyncDisposable {
  /** The ID that a client sends instead of the text. */
  readonly id: string;
  /** Path of the manifest that a gateway reads at startup. */
  readonly path: string;
}

/** Writes a manifest with one document, like that of a client's build. */
export async function writeTrusted(text: string): Promise<TrustedDocument> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-documents-'));
  const id = createHash('sha256').update(text).digest('hex');
  const path = join(directory, 'documents.json');
  await writeFile(path, JSON.stringify({ [id]: text }));
  return { id, path, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}
