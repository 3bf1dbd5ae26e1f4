export { type Client, createClient } from './client.js';
export {
  AbortedError,
  FaultError,
  OutcomeUnknownError,
  RefusedError,
  SolegateError,
  type SolegateErrorCode,
  UnavailableError,
} from './contract/errors.js';
export type { CallOptions, SubscribeOptions } from './contract/operation.js';
export { isTsid, type JsonObject, parseTsid, type Tsid } from './contract/scalars.js';
export type { Methods } from './generated/operations.js';
export type { ClientOptions, RetryOptions } from './wire/client-options.js';
export type { ConnectionStatus } from './wire/connection.js';
