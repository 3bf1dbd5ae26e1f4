import { type Failure, NO_TOKEN } from '../contract/failure.js';

/** Whether this client can work at the moment, for a line on a page. */
export interface ConnectionStatus {
  /**
   * - `UNTRIED`: nothing was asked yet.
   * - `CONNECTED`: the last calls were answered.
   * - `STORE_AWAY`: the gateway answers, but PostgreSQL or Redis, or its node ID, is away.
   * - `GATEWAY_AWAY`: nobody answers.
   */
  readonly kind: 'UNTRIED' | 'CONNECTED' | 'STORE_AWAY' | 'GATEWAY_AWAY';
  /** The fine code of the last failure, such as `REDIS_UNAVAILABLE`. */
  readonly reason?: string | undefined;
}

type Listener = (status: ConnectionStatus) => void;

/** An operation that is not asked again cannot recover; others that succeed so much later speak for it. */
const FORGET_MS = 5_000;

/** What calls and subscriptions met, as one status. */
export class Connection {
  readonly #listeners = new Set<Listener>();
  /** Operations whose last answer was that a store is away. */
  readonly #refused = new Map<string, { readonly reason: string; readonly atMs: number }>();
  #status: ConnectionStatus = { kind: 'UNTRIED' };

  constructor(private readonly now: () => number = Date.now) {}

  get status(): ConnectionStatus {
    return this.#status;
  }

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  answered(operation: string): void {
    const forgottenMs = this.now() - FORGET_MS;
    for (const [name, { atMs }] of this.#refused) {
      if (name === operation || atMs <= forgottenMs) this.#refused.delete(name);
    }
    const [refused] = this.#refused.values();
    this.#set(refused ? { kind: 'STORE_AWAY', reason: refused.reason } : { kind: 'CONNECTED' });
  }

  failed(operation: string, { code, reason, isAnswered }: Failure): void {
    if (reason === NO_TOKEN) return;
    if (!isAnswered) {
      this.#set({ kind: 'GATEWAY_AWAY', reason });
    } else if (code === 'SERVICE_UNAVAILABLE' || code === 'OUTCOME_UNKNOWN') {
      this.#refused.set(operation, { reason, atMs: this.now() });
      this.#set({ kind: 'STORE_AWAY', reason });
    } else {
      this.answered(operation);
    }
  }

  #set(status: ConnectionStatus): void {
    if (status.kind === this.#status.kind && status.reason === this.#status.reason) return;
    this.#status = status;
    // A listener that throws must not fail a call.
    for (const listener of this.#listeners) queueMicrotask(() => listener(status));
  }
}
