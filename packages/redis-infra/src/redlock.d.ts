/** redlock ships types that its export map hides; these are the ones that Solegate uses. */
declare module 'redlock' {
  import type { EventEmitter } from 'node:events';

  import type { Cluster, Redis } from 'ioredis';

  export interface Settings {
    /** Fraction of the duration by which clocks may drift apart. */
    readonly driftFactor: number;
    readonly retryCount: number;
  }

  export interface ExecutionStats {
    readonly quorumSize: number;
    readonly votesAgainst: Map<Redis | Cluster, Error>;
  }

  /** The server replied that another process holds the lock (or that it no longer exists). */
  export class ResourceLockedError extends Error {}

  /** No quorum; each attempt holds the votes of the servers. */
  export class ExecutionError extends Error {
    /** One, without retries. */
    readonly attempts: readonly [Promise<ExecutionStats>];
  }

  export class Lock {
    readonly resources: string[];
  }

  // biome-ignore lint/style/noDefaultExport: the shape of redlock
  export default class Redlock extends EventEmitter {
    constructor(clients: Iterable<Redis | Cluster>, settings?: Partial<Settings>);
    acquire(resources: string[], durationMs: number): Promise<Lock>;
    release(lock: Lock): Promise<unknown>;
  }
}
