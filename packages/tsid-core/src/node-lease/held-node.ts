import { NodeInUseError, NodeUnavailableError } from '../codec/tsid-error.js';
import type { NodeUser, NodeWindow } from '../generator/node-source.js';
import type { HeldGrant } from './fleet/lease-store.js';

/** Why there is no node: while another one is being claimed, or permanently. */
export type Missing = 'LOST' | 'ENDED' | 'RELEASED';

/** A longer timer of Node would end at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

interface Waiter {
  readonly arrived: () => void;
  readonly gaveUp: () => void;
}

/** The current grant, the generator that mints on it, and the callers waiting for the next one. */
export class HeldNode {
  readonly #namespace: string;
  readonly #now: () => number;
  #current: HeldGrant | undefined;
  #missing: Missing = 'LOST';
  #user: NodeUser | undefined;
  /** The highest timestamp that generators before the current one minted. */
  #mintedMs: number | undefined;
  readonly #waiters = new Set<Waiter>();

  constructor(namespace: string, now: () => number) {
    this.#namespace = namespace;
    this.#now = now;
  }

  get grant(): HeldGrant | undefined {
    return this.#current;
  }

  /** Whether an ID can be minted now. */
  get isOpen(): boolean {
    const now = this.#now();
    return this.#current !== undefined && now >= this.#current.floorMs && now < this.#current.ceilingMs;
  }

  /** The highest timestamp minted under this lease by any generator. */
  get lastMintedMs(): number | undefined {
    return this.#user?.lastMintedMs() ?? this.#mintedMs;
  }

  /** The window above whatever an earlier generator minted in it, or why there is none. */
  window(): NodeWindow | Missing {
    if (this.#current === undefined) return this.#missing;
    const { node, floorMs, ceilingMs } = this.#current;
    return { node, floorMs: Math.max(floorMs, (this.#mintedMs ?? -1) + 1), ceilingMs };
  }

  /** @throws NodeInUseError when a generator is attached already. */
  attach(user: NodeUser): () => void {
    if (this.#user !== undefined) throw new NodeInUseError(this.#namespace, this.#current?.node ?? -1);
    this.#user = user;
    return () => {
      this.#mintedMs = this.lastMintedMs;
      this.#user = undefined;
    };
  }

  /** Sets a new grant, or the same one with a later ceiling. */
  hold(grant: HeldGrant): void {
    this.#current = grant;
    this.#user?.windowChanged();
    for (const waiter of this.#waiters) waiter.arrived();
  }

  /** Stops minting on the node and returns the grant that was held. */
  drop(reason: Missing): HeldGrant | undefined {
    const grant = this.#current;
    this.#current = undefined;
    this.#missing = reason;
    this.#user?.windowChanged();
    if (reason === 'RELEASED') for (const waiter of this.#waiters) waiter.gaveUp();
    return grant;
  }

  /** Resolves once there is a window. Rejects with NodeUnavailableError after timeoutMs or once released. */
  ready(timeoutMs: number): Promise<void> {
    if (this.isOpen) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        done();
      };
      const gaveUp = () =>
        settle(() => reject(new NodeUnavailableError(this.#current === undefined ? this.#missing : 'ENDED')));
      const waiter: Waiter = { arrived: () => settle(resolve), gaveUp };
      const isOver = this.#current === undefined && this.#missing === 'RELEASED';
      const timer = setTimeout(gaveUp, isOver ? 0 : Math.min(timeoutMs, TIMER_MAX_MS));
      this.#waiters.add(waiter);
    });
  }
}
