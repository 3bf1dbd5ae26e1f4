import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';

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
  readonly #targets: readonly URL[];
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agents: { readonly plain: Agent; readonly secure: SecureAgent };
  #next = 0;

  constructor({ targets, headers, parallel }: GraphqlClientOptions) {
    this.#targets = targets.map((target) => new URL(target));
    this.#headers = headers;
    const settings = { keepAlive: true, maxSockets: parallel };
    this.#agents = { plain: new Agent(settings), secure: new SecureAgent(settings) };
  }

  /** @throws GraphqlRequestError */
  async ask<Data>({ query, variables, headers = {} }: GraphqlOperation): Promise<Data> {
    const target = this.#targets[this.#next++ % this.#targets.length];
    if (target === undefined) throw new GraphqlRequestError('NO_TARGET', 'there is no gateway to call');
    const text = await this.#post(target, JSON.stringify({ query, variables }), headers);
    return dataOf<Data>(text);
  }

  [Symbol.dispose](): void {
    this.#agents.plain.destroy();
    this.#agents.secure.destroy();
  }

  #post(target: URL, body: string, headers: Readonly<Record<string, string>>): Promise<string> {
    const isSecure = target.protocol === 'https:';
    const options = {
      method: 'POST',
      agent: isSecure ? this.#agents.secure : this.#agents.plain,
      timeout: TIMEOUT_MS,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...this.#headers,
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void =>
        reject(
          new GraphqlRequestError(error.code ?? 'TRANSPORT', `${target.host}: ${error.message}`, {
            cause: error,
          }),
        );
      const answered = (response: IncomingMessage): void => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
        response.on('error', failed);
      };
      const sent = isSecure
        ? httpsRequest(target, options, answered)
        : httpRequest(target, options, answered);
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
      sent.on('error', failed);
      sent.end(body);
    });
  }
}

interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

function dataOf<Data>(text: string): Data {
  let answer: GraphqlAnswer;
  try {
    answer = JSON.parse(text) as GraphqlAnswer;
  } catch (error) {
    throw new GraphqlRequestError('NOT_GRAPHQL', `the response is not JSON: ${text.slice(0, 80)}`, {
      cause: error,
    });
  }
  const [error] = answer.errors ?? [];
  if (error !== undefined) throw new GraphqlRequestError(error.extensions?.code ?? 'GRAPHQL', error.message);
  return answer.data as Data;
}
