import { type Client, type ClientOptions, createClient } from '../src/index.js';

/** One step of a scripted gateway: an answer, or how the connection fails. */
export type Turn =
  | { readonly status?: number; readonly json: unknown; readonly retryAfter?: string }
  | { readonly status: number; readonly html: string }
  | { readonly broken: unknown }
  | 'silent';

export interface Sent {
  readonly headers: Headers;
  readonly variables: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A client of a scripted gateway; its last step is repeated. There is no pause between attempts. */
export function scripted(
  turns: readonly Turn[],
  options: Partial<ClientOptions> = {},
): { readonly client: Client; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const client = createClient({
    url: 'http://gateway.test/graphql',
    retry: { baseMs: 0, attemptMax: 20 },
    ...options,
    fetch: async (_url, { headers, body } = {}) => {
      const { variables } = JSON.parse(body as string) as Pick<Sent, 'variables'>;
      sent.push({ headers: new Headers(headers), variables });
      const turn = turns[Math.min(sent.length, turns.length) - 1] ?? 'silent';
      if (turn === 'silent') return new Promise(() => {});
      if ('broken' in turn) throw turn.broken;
      const { status = 200 } = turn;
      if ('html' in turn) return new Response(turn.html, { status });
      const ownHeaders = turn.retryAfter === undefined ? {} : { 'retry-after': turn.retryAfter };
      return Response.json(turn.json, { status, headers: ownHeaders });
    },
  });
  return { client, sent };
}

/** A refusal in the gateway's format. */
export function refusal(code: string, more: Readonly<Record<string, unknown>> = {}): Turn {
  return {
    json: {
      data: null,
      errors: [{ message: 'no', extensions: { code, reason: code, retryable: false, ...more } }],
    },
  };
}

export const CUT: Turn = { broken: new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } }) };
export const UNREACHABLE: Turn = {
  broken: new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }),
};
export const AWAY = refusal('SERVICE_UNAVAILABLE', { reason: 'STORE_UNAVAILABLE', retryable: true });
export const UNKNOWN = refusal('OUTCOME_UNKNOWN', { retryable: true });
