import { type Failure, NO_TOKEN } from '../contract/failure.js';

/** Whether the gateway is usable at present, for a status line. */
export interface ConnectionStatus {
  /**
   * - `UNTRIED`: no request has been sent yet.
   * - `CONNECTED`: the latest calls received a response.
   * - `STORE_AWAY`: the gateway responds, but PostgreSQL, Redis or its node ID is unavailable.
   * - `GATEWAY_AWAY`: the gateway does not respond.
   */
  readonly kind: 'UNTRIED' | 'CONNECTED' | 'STORE_AWAY' | 'GATEWAY_AWAY';
  /** The specific code of the last failure, such as `REDIS_UNAVAILABLE`. */
  readonly reason?: string | undefined;
}

type Listener = (status: ConnectionStatus) => void;

/** An operation that is not repeated cannot recover; a success of another one after this time clears its failure. */
const FORGET_MS = 5_000;

/** Combines the results of calls and subscriptions into one status. */
export class Connection {
  readonly #listeners = new Set<Listener>();
  /** Operations whose last result was an unavailable store. */
  readonly #refused = new Map<string, { readonly reason: string; readonly atMs: number }>();
  #status: ConnectionStatus = { kind: 'UNTRIED' };

  constructor(private readonly now: () => number = () => performance.now()) {}

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
