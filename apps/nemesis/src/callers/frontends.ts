import { type Client, createClient } from '@solegate/client';

/** Deadline of a call, retries included, in milliseconds. */
const CALL_TIMEOUT_MS = 8000;
/** The longest that a call is allowed to take: its deadline plus an allowance for a busy machine. Milliseconds. */
export const CALL_LIMIT_MS = CALL_TIMEOUT_MS + 2000;
const ATTEMPT_TIMEOUT_MS = 2500;

/** Where the attempts of a client go, and how long each may take, in milliseconds. */
interface Way {
  readonly target: () => string;
  readonly attemptTimeoutMs?: number;
}

/** API clients by user. Each attempt goes to the next gateway in turn, as with a balancer without health checks. */
export class Frontends implements AsyncDisposable {
  readonly #clients = new Map<string, Client>();
  readonly #targets: readonly string[];
  readonly #rewrite: ((answer: string) => string) | undefined;
  #turn = 0;

  /** @param rewrite changes the answers of the gateways, as a gateway with a bug would */
  constructor(targets: readonly string[], rewrite?: (answer: string) => string) {
    this.#targets = targets;
    this.#rewrite = rewrite;
  }

  /** @param user a name for `x-demo-user`: `driver-7`, `clerk-1` */
  of(user: string): Client {
    return this.#client(user, user, { target: () => this.#nextTarget() });
  }

  /** A client that gives its first attempt all the time, for calls that it must not repeat. */
  patient(user: string): Client {
    const target = (): string => this.#nextTarget();
    return this.#client(`${user}, patient`, user, { target, attemptTimeoutMs: CALL_TIMEOUT_MS });
  }

  /** A client of one gateway, with the index among all of them. */
  at(gateway: number, user: string): Client {
    return this.#client(`${user} at ${gateway}`, user, { target: () => this.#targets[gateway] ?? '' });
  }

  get gatewayCount(): number {
    return this.#targets.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
  }

  #nextTarget(): string {
    return this.#targets[this.#turn++ % this.#targets.length] ?? '';
  }

  #client(name: string, user: string, { target, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS }: Way): Client {
    const client =
      this.#clients.get(name) ??
      createClient({
        url: 'http://balancer/graphql',
        headers: { 'x-demo-user': user },
        fetch: (_url, init) => this.#fetch(target(), init),
        timeoutMs: CALL_TIMEOUT_MS,
        retry: { attemptTimeoutMs, maxMs: 500 },
      });
    this.#clients.set(name, client);
    return client;
  }

  async #fetch(target: string, init: RequestInit | undefined): Promise<Response> {
    const response = await fetch(target, init);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (this.#rewrite === undefined || isStream) return response;
    const { status, headers } = response;
    return new Response(this.#rewrite(await response.text()), { status, headers });
  }
}
