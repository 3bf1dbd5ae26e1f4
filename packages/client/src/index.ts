export { type Client, createClient } from './client.js';
export type { ClientOptions, RetryOptions } from './client-options.js';
export type { ConnectionStatus } from './connection.js';
export {
  AbortedError,
  FaultError,
  OutcomeUnknownError,
  RefusedError,
  SolegateError,
  type SolegateErrorCode,
  UnavailableError,
} from './errors.js';
export type { Methods } from './generated/operations.js';
export type { CallOptions, SubscribeOptions } from './operation.js';
export { isTsid, type JsonObject, parseTsid, type Tsid } from './scalars.js';
