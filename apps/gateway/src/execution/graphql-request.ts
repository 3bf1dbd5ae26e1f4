import { badInput } from '../errors/gateway-error.js';
import { checkStorable } from './storable-text.js';

/** The JSON body of a request: a document, or the ID of a trusted one, with its parameters. */
export interface GraphqlRequest {
  readonly query: string | undefined;
  /** `documentId` of GraphQL over HTTP, or the hash sent by Apollo clients; without the prefix `sha256:`. */
  readonly documentId: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown> | undefined;
}

const TRUSTED_PREFIX = 'sha256:';

/**
 * Reads the parameters of GraphQL over HTTP. Other members are ignored.
 *
 * @throws {GatewayError} BAD_REQUEST, TEXT, VARIABLES_TOO_DEEP, TOO_MANY_VALUES
 */
export function readGraphqlRequest(body: unknown): GraphqlRequest {
  if (Array.isArray(body)) throw badRequest('Send one operation at a time; batches are not accepted.');
  if (!isRecord(body)) throw badRequest('Send a JSON object with "query" or "documentId".');
  const { query, operationName, variables, extensions } = body;
  if (!isAbsent(query) && typeof query !== 'string') throw badRequest('"query" must be a string.');
  if (!isAbsent(operationName) && typeof operationName !== 'string') {
    throw badRequest('"operationName" must be a string.');
  }
  if (!isAbsent(variables) && !isRecord(variables)) throw badRequest('"variables" must be an object.');
  if (!isAbsent(extensions) && !isRecord(extensions)) throw badRequest('"extensions" must be an object.');
  const documentId = documentIdOf(body.documentId, extensions);
  if (!query && documentId === undefined) {
    throw badRequest('Send "query", or the "documentId" of a trusted document.');
  }
  checkStorable(body);
  return {
    query: query || undefined,
    documentId,
    operationName: operationName ?? undefined,
    variables: variables ?? undefined,
  };
}

function documentIdOf(documentId: unknown, extensions: unknown): string | undefined {
  if (typeof documentId === 'string' && documentId !== '') {
    return documentId.startsWith(TRUSTED_PREFIX) ? documentId.slice(TRUSTED_PREFIX.length) : documentId;
  }
  if (!isAbsent(documentId)) throw badRequest('"documentId" must be a string.');
  const persisted = isRecord(extensions) ? extensions.persistedQuery : undefined;
  return isRecord(persisted) && typeof persisted.sha256Hash === 'string' ? persisted.sha256Hash : undefined;
}

function badRequest(message: string) {
  return badInput('BAD_REQUEST', message);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
