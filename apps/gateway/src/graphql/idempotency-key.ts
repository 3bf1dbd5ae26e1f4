import { badInput } from '../errors/gateway-error.js';

/** No control characters: keys appear in logs and in URLs of support tools. */
const KEY = /^[^\p{Cc}]{1,200}$/u;

/** Checks a key, by the same rule for every operation. @throws {GatewayError} IDEMPOTENCY_KEY */
export function checkKey(key: string | null | undefined): void {
  if (key === undefined || key === null || KEY.test(key)) return;
  throw badInput(
    'IDEMPOTENCY_KEY',
    'An idempotency key must have 1 to 200 characters, without line breaks or other control characters.',
  );
}
