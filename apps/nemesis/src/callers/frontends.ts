import { type Client, createClient } from '@solegate/client';

/** Deadline of a call, retries included, in milliseconds. */
const CALL_TIMEOUT_MS = 8000;
/** The longest that a call is allowed to take: its deadline plus an allowance for a busy machine. Milliseconds. */
export const CALL_LIMIT_MS = CALL_TIMEOUT_MS + 2000;
const ATTEMPT_TIMEOUT_MS = 2500;

/** API clients by user. Each attempt goes to the next gateway in turn, as with a balancer without health checks. */
export class Frontends implements AsyncDisposable {
  readonly #clients = new Map<string, Client>();
  readonly #targets: readonly string[];
  #turn = 0;

  constructor(targets: readonly string[]) {
    this.#targets = targets;
  }

  /** @param user a name for `x-demo-user`: `driver-7`, `clerk-1` */
  of(user: string): Client {
    const client = this.#clients.get(user) ?? this.#create(user);
    this.#clients.set(user, client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
  }

  #create(user: string): Client {
    return createClient({
      url: 'http://balancer/graphql',
      headers: { 'x-demo-user': user },
      fetch: (_url, init) => fetch(this.#targets[this.#turn++ % this.#targets.length] ?? '', init),
      timeoutMs: CALL_TIMEOUT_MS,
      retry: { attemptTimeoutMs: ATTEMPT_TIMEOUT_MS, maxMs: 500 },
    });
  }
}
