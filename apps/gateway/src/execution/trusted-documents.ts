import { readFile } from 'node:fs/promises';
import type { DocumentNode } from 'graphql';
import { z } from 'zod';
import { ConfigurationError } from '../config.js';
import { type DocumentReader, DocumentRefusal } from './document-reader.js';

/** Apollo's manifest, and the map that the client preset of graphql-codegen and Relay write. */
const manifestSchema = z.union([
  z.object({
    format: z.literal('apollo-persisted-query-manifest'),
    version: z.literal(1),
    operations: z.array(z.object({ id: z.string().min(1), body: z.string() })),
  }),
  z.record(z.string().min(1), z.string()),
]);

type Manifest = z.infer<typeof manifestSchema>;

/** Documents by the ID that clients send in place of their text: read once, at the start. */
export type TrustedDocuments = ReadonlyMap<string, DocumentNode>;

/**
 * Reads the manifest that the build of a client wrote. Every document is parsed and validated as one that is sent.
 *
 * @throws {ConfigurationError} naming the file, and each document that this schema refuses
 */
export async function readTrustedDocuments(path: string, reader: DocumentReader): Promise<TrustedDocuments> {
  const texts = textsOf(await readManifest(path));
  const documents = new Map<string, DocumentNode>();
  const faults: string[] = [];
  for (const [id, text] of texts) {
    const document = await reader.read(text);
    if (document instanceof DocumentRefusal) {
      faults.push(`TRUSTED_DOCUMENTS: document ${id} is refused: ${document.errors[0]?.message}`);
    } else documents.set(id, document);
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return documents;
}

async function readManifest(path: string): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const said = error instanceof z.ZodError ? 'it is neither a manifest of Apollo nor a map' : String(error);
    throw new ConfigurationError([`TRUSTED_DOCUMENTS: ${path} cannot be read: ${said}`]);
  }
}

function textsOf(manifest: Manifest): readonly (readonly [string, string])[] {
  const isApollo = Array.isArray(manifest.operations);
  if (!isApollo) return Object.entries(manifest as Record<string, string>);
  return (manifest.operations as { id: string; body: string }[]).map(({ id, body }) => [id, body]);
}
