import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TrustedDocument extends AsyncDisposable {
  /** What a client sends in place of the text. */
  readonly id: string;
  /** The manifest that a gateway reads at its start. */
  readonly path: string;
}

/** A manifest with one document, as the build of a client writes it. */
export async function writeTrusted(text: string): Promise<TrustedDocument> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-documents-'));
  const id = createHash('sha256').update(text).digest('hex');
  const path = join(directory, 'documents.json');
  await writeFile(path, JSON.stringify({ [id]: text }));
  return { id, path, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}
