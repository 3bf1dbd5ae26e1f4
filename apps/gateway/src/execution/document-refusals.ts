import { badInput, forbidden, GatewayError } from '../errors/gateway-error.js';

export function noSuchOperation(operationName: string | undefined): GatewayError {
  return badInput(
    'NO_SUCH_OPERATION',
    operationName === undefined
      ? 'The document has several operations; select one with "operationName".'
      : 'The document has no operation with this "operationName".',
  );
}

/** Apollo clients respond to these codes by sending the text: this time, or from now on. */
export function unknownDocument(hasTrusted: boolean): GatewayError {
  return new GatewayError({
    code: hasTrusted ? 'PERSISTED_QUERY_NOT_FOUND' : 'PERSISTED_QUERY_NOT_SUPPORTED',
    reason: 'DOCUMENT_UNKNOWN',
    message: 'No document is registered under this ID; register it, or send its text as "query".',
  });
}

export function untrustedDocument(): GatewayError {
  return forbidden(
    'DOCUMENT_NOT_TRUSTED',
    'This gateway runs only registered documents; send the "documentId" of one.',
  );
}
