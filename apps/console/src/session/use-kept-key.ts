import { type CallOptions, OutcomeUnknownError, RefusedError } from '@solegate/client';
import { useState } from 'preact/hooks';
import { client, type GatewayClient } from './gateway-client.js';

/** A request whose outcome is unknown. */
interface Kept {
  readonly intent: string;
  readonly asker: GatewayClient;
  readonly key: string;
}

/**
 * Keeps the idempotency key of a request whose answer was lost, so that the user can send the same request again: the
 * gateway then returns the outcome of the first. The key is forgotten when the request is answered or refused, or when
 * another one is sent. Any other failure of a repetition leaves open what the first request did.
 *
 * @param intent identifies what would be requested; keys belong to the user, so that of another user is another intent
 */
export function useKeptKey(intent: string) {
  const [kept, setKept] = useState<Kept>();
  const asker = client.value;
  const key = kept?.intent === intent && kept.asker === asker ? kept.key : undefined;
  const send = async <T>(request: (options: CallOptions) => Promise<T>): Promise<T> => {
    if (key === undefined) setKept(undefined);
    try {
      const answer = await request(key === undefined ? {} : { idempotencyKey: key });
      setKept(undefined);
      return answer;
    } catch (error) {
      const lost = error instanceof OutcomeUnknownError && error.retryable ? error.idempotencyKey : undefined;
      if (lost !== undefined) setKept({ intent, asker, key: lost });
      else if (error instanceof RefusedError) setKept(undefined);
      throw error;
    }
  };
  return {
    /** Whether `send` repeats a request whose answer was lost. */
    isRepeat: key !== undefined,
    send,
  };
}
