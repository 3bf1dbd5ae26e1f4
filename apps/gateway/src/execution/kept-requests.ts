import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { type HeldBytes, type Holding, tooManyBytes } from '../budget/held-bytes.js';
import { TOKEN_BYTES } from './document-reader.js';
import { TOKEN_MAX } from './query-limits.js';

/** What a subscription takes by itself; as much of its request is not counted. */
const OWN_BYTES = 16_384;
/** A value of JSON, about. */
const VALUE_BYTES = 64;
const CHARACTER_BYTES = 2;

interface KeptDocument {
  readonly holding: Holding;
  streamCount: number;
}

/** What is executed of a request: all that a subscription keeps of it until it ends. */
export interface KeptRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Leaves out variables that the operation does not declare; nothing reads them. */
export function keptOf({ document, operation, operationName, variables }: KeptRequest): KeptRequest {
  const declared = (operation.variableDefinitions ?? [])
    .map(({ variable }) => variable.name.value)
    .filter((name) => Object.hasOwn(variables, name))
    .map((name) => [name, variables[name]]);
  return { document, operation, operationName, variables: Object.fromEntries(declared) };
}

/**
 * Counts what subscriptions keep of their requests: the variables of each, and each document once, however many
 * subscriptions run it. It counts for the address that ran it first, until the last of them ends.
 */
export class KeptRequests {
  readonly #documents = new Map<DocumentNode, KeptDocument>();

  constructor(private readonly held: HeldBytes) {}

  /**
   * Counts a request.
   *
   * @returns ends that; to be called once
   * @throws {GatewayError} TOO_MANY_BYTES if the address or the process holds too much
   */
  keep({ document, variables }: Pick<KeptRequest, 'document' | 'variables'>, address: string): () => void {
    const values = this.held.open(address);
    const kept = this.#documents.get(document) ?? { holding: this.held.open(address), streamCount: 0 };
    const isNew = kept.streamCount === 0;
    kept.streamCount += 1;
    this.#documents.set(document, kept);
    const release = (): void => {
      values.end();
      kept.streamCount -= 1;
      if (kept.streamCount > 0) return;
      kept.holding.end();
      this.#documents.delete(document);
    };
    const hasRoom = !isNew || kept.holding.resize(beyondOwn(bytesOfDocument(document)));
    if (hasRoom && values.resize(beyondOwn(heapBytesOf(variables)))) return release;
    release();
    throw tooManyBytes();
  }
}

function beyondOwn(bytes: number): number {
  return Math.max(0, bytes - OWN_BYTES);
}

function bytesOfDocument({ tokenCount = TOKEN_MAX, loc }: DocumentNode): number {
  return tokenCount * TOKEN_BYTES + CHARACTER_BYTES * (loc?.source.body.length ?? 0);
}

/** Returns about how much of the heap JSON takes, however deep it is. */
export function heapBytesOf(json: unknown): number {
  const values = [json];
  let bytes = 0;
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    bytes += VALUE_BYTES;
    if (typeof value === 'string') bytes += CHARACTER_BYTES * value.length;
    if (typeof value !== 'object' || value === null) continue;
    for (const part of Object.values(value)) values.push(part);
  }
  return bytes;
}
