import { badInput } from '../errors/gateway-error.js';
import { checkStorable } from './storable-text.js';

/** What a client sends as JSON. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Record<string, unknown>;
}

/**
 * Reads the body of a request. Whatever else is in it (extensions, persisted queries) has no meaning here.
 *
 * @throws {GatewayError} BAD_REQUEST
 */
export function readGraphqlRequest(body: unknown): GraphqlRequest {
  if (Array.isArray(body)) throw badRequest('Send one operation at a time; batches are not accepted.');
  if (!isRecord(body) || typeof body.query !== 'string' || body.query === '') {
    throw badRequest('Send a JSON object with "query" and, if needed, "variables" and "operationName".');
  }
  const { query, operationName, variables } = body;
  if (!isAbsent(operationName) && typeof operationName !== 'string') {
    throw badRequest('"operationName" must be a string.');
  }
  if (!isAbsent(variables) && !isRecord(variables)) throw badRequest('"variables" must be an object.');
  if (isRecord(variables)) checkStorable(variables);
  return {
    query: query as string,
    ...(typeof operationName === 'string' && { operationName }),
    ...(isRecord(variables) && { variables }),
  };
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
