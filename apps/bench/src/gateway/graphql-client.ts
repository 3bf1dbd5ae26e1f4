import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';

/** The gateway returned an error, or did not answer; `code` is the gateway's or the transport's. */
class GraphqlRequestError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'GraphqlRequestError';
  }
}

export interface GraphqlClientOptions {
  /** Addresses of the GraphQL endpoints, used in turns. */
  readonly targets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** The most connections to each target. */
  readonly parallel: number;
}

export interface GraphqlOperation {
  /** Without inlined values: servers cache parsed documents by their text. */
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Timeout of one request. */
const TIMEOUT_MS = 30_000;

/** A minimal GraphQL client over persistent connections: its overhead is part of every latency. */
export class GraphqlClient implements Disposable {
  readonly #targets: readonly { readonly url: URL; readonly agent: http.Agent }[];
  readonly #headers: Readonly<Record<string, string>>;
  #next = 0;

  constructor({ targets, headers, parallel }: GraphqlClientOptions) {
    this.#targets = targets.map((target) => {
      const url = new URL(target);
      return { url, agent: new (transportOf(url).Agent)({ keepAlive: true, maxSockets: parallel }) };
    });
    this.#headers = headers;
  }

  /** @throws GraphqlRequestError */
  async ask<Data>({ query, variables, headers = {} }: GraphqlOperation): Promise<Data> {
    const target = this.#targets[this.#next++ % this.#targets.length];
    if (target === undefined) throw new GraphqlRequestError('NO_TARGET', 'there is no gateway to call');
    const { url, agent } = target;
    const body = JSON.stringify({ query, variables });
    const own = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = transportOf(url).request(url, {
      method: 'POST',
      agent,
      timeout: TIMEOUT_MS,
      headers: { ...own, ...this.#headers, ...headers },
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    sent.end(body);
    const received = once(sent, 'response').then(([response]) => text(response));
    return dataOf<Data>(
      await received.catch((cause: NodeJS.ErrnoException) => {
        throw new GraphqlRequestError(cause.code ?? 'TRANSPORT', `${url.host}: ${cause.message}`, { cause });
      }),
    );
  }

  [Symbol.dispose](): void {
    for (const { agent } of this.#targets) agent.destroy();
  }
}

function transportOf({ protocol }: URL): typeof http | typeof https {
  return protocol === 'https:' ? https : http;
}

interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

function dataOf<Data>(received: string): Data {
  let answer: GraphqlAnswer;
  try {
    answer = JSON.parse(received) as GraphqlAnswer;
  } catch (error) {
    throw new GraphqlRequestError('NOT_GRAPHQL', `the response is not JSON: ${received.slice(0, 80)}`, {
      cause: error,
    });
  }
  const [error] = answer.errors ?? [];
  if (error !== undefined) throw new GraphqlRequestError(error.extensions?.code ?? 'GRAPHQL', error.message);
  return answer.data as Data;
}
