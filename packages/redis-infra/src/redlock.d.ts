/** redlock ships types that its export map hides; this is what Solegate uses of it. */
declare module 'redlock' {
  import type { EventEmitter } from 'node:events';

  import type { Cluster, Redis } from 'ioredis';

  export interface Settings {
    /** Share of the duration that clocks may drift apart. */
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

  /** The server was asked and the lock is another's (or no longer there). */
  export class ResourceLockedError extends Error {}

  /** No quorum; each attempt holds how the servers voted. */
  export class ExecutionError extends Error {
    readonly attempts: ReadonlyArray<Promise<ExecutionStats>>;
  }

  export class Lock {
    readonly resources: string[];
    readonly value: string;
    /** `Date.now()` until which the lock is surely held. */
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
