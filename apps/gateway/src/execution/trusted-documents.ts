import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { DocumentNode } from 'graphql';
import { z } from 'zod';
import { ConfigurationError } from '../config.js';
import { type DocumentReader, DocumentRefusal } from './document-reader.js';

/** Apollo's manifest, or the map written by graphql-codegen's client preset and by Relay. */
const manifestSchema = z.union([
  z.object({
    format: z.literal('apollo-persisted-query-manifest'),
    version: z.literal(1),
    operations: z.array(z.object({ id: z.string().min(1), body: z.string() })),
  }),
  z.record(z.string().min(1), z.string()),
]);

type Manifest = z.infer<typeof manifestSchema>;

/** Documents by the ID that clients send instead of the text. Read once, at startup. */
export type TrustedDocuments = ReadonlyMap<string, DocumentNode>;

/**
 * Reads the manifest of the product's own client, which the console uses, and one written by another client's build.
 * Documents are parsed and validated like those that clients send.
 *
 * @throws {ConfigurationError} naming the file, or each document that this schema rejects
 */
export async function readTrustedDocuments(
  path: string | undefined,
  reader: DocumentReader,
): Promise<TrustedDocuments> {
  const own = createRequire(import.meta.url).resolve('@solegate/client/documents.json');
  const manifests = await Promise.all([own, ...(path === undefined ? [] : [path])].map(readManifest));
  const texts = manifests.flatMap(textsOf);
  const documents = new Map<string, DocumentNode>();
  const faults: string[] = [];
  for (const [id, text] of texts) {
    const document = await reader.read(text);
    if (document instanceof DocumentRefusal) {
      faults.push(`TRUSTED_DOCUMENTS: document ${id} is invalid: ${document.errors[0]?.message}`);
    } else documents.set(id, document);
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return documents;
}

async function readManifest(path: string): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const said = error instanceof z.ZodError ? 'it is neither an Apollo manifest nor a map' : String(error);
    throw new ConfigurationError([`TRUSTED_DOCUMENTS: ${path} cannot be read: ${said}`]);
  }
}

function textsOf(manifest: Manifest): readonly (readonly [string, string])[] {
  const isApollo = Array.isArray(manifest.operations);
  if (!isApollo) return Object.entries(manifest as Record<string, string>);
  return (manifest.operations as { id: string; body: string }[]).map(({ id, body }) => [id, body]);
}
