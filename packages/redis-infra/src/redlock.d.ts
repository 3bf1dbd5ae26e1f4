/** redlock ships types that its export map hides; these are the ones that Solegate uses. */
declare module 'redlock' {
  import type { EventEmitter } from 'node:events';

  import type { Cluster, Redis } from 'ioredis';

  export interface Settings {
    /** Fraction of the duration by which clocks may drift apart. */
    readonly driftFactor: number;
    readonly retryCount: number;
    readonly retryDelay: number;
    readonly retryJitter: number;
    readonly automaticExtensionThreshold: number;
  }

  export interface ExecutionStats {
    readonly membershipSize: number;
    readonly quorumSize: number;
    readonly votesFor: Set<Redis | Cluster>;
    readonly votesAgainst: Map<Redis | Cluster, Error>;
  }

  /** The server replied that another process holds the lock (or that it no longer exists). */
  export class ResourceLockedError extends Error {}

  /** No quorum; each attempt holds the votes of the servers. */
  export class ExecutionError extends Error {
    readonly attempts: ReadonlyArray<Promise<ExecutionStats>>;
  }

  export class Lock {
    readonly resources: string[];
    readonly value: string;
    /** `Date.now()` until which the lock is certainly held. */
    expiration: number;
  }

  // biome-ignore lint/style/noDefaultExport: the shape of redlock
  export default class Redlock extends EventEmitter {
    constructor(clients: Iterable<Redis | Cluster>, settings?: Partial<Settings>);
    acquire(resources: string[], durationMs: number): Promise<Lock>;
    extend(lock: Lock, durationMs: number): Promise<Lock>;
    release(lock: Lock): Promise<unknown>;
  }
}
