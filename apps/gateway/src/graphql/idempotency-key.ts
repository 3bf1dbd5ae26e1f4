import { badInput } from '../errors/gateway-error.js';

/** Printable: a key comes up in logs and in URLs of support tools. */
const KEY = /^[^\p{Cc}]{1,200}$/u;

/** The same rule for every operation that takes a key. @throws {GatewayError} IDEMPOTENCY_KEY */
export function checkKey(key: string | null | undefined): void {
  if (key === undefined || key === null || KEY.test(key)) return;
  throw badInput('IDEMPOTENCY_KEY', 'An idempotency key has 1 to 200 characters without line breaks.');
}
