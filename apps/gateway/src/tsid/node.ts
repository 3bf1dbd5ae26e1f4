import { hostname } from 'node:os';
import { type RedisConnection, RedisFailure } from '@solegate/redis-infra';
import { createTsidGenerator, NodeUnavailableError, type TsidGenerator } from '@solegate/tsid-core';
import {
  type AnyNodeLease,
  developmentNode,
  type LeaseStore,
  leaseNode,
  listNodeLeases,
  type NodeLease,
  NodeLeaseError,
  type NodeLeaseEvent,
  type NodeLeaseHealth,
  type NodeLeaseList,
  NodeLeaseQuarantinedError,
  type NodeRange,
  NodesExhaustedError,
} from '@solegate/tsid-core/node-lease';
import { postgresLeaseStore } from '@solegate/tsid-core/node-lease/postgres';
import type { Pool } from 'pg';
import type { GatewayConfig } from '../config.js';
import { unavailable } from '../errors/gateway-error.js';
import { ownConnection } from '../stores/data-source.js';
import { leaseFromPinned } from './allocator-pin.js';

export interface NodeOptions {
  readonly config: GatewayConfig;
  readonly redis: RedisConnection;
  readonly pool: Pool;
  /** First and last node that can be leased. Default: all. */
  readonly nodes: readonly [number, number] | undefined;
  /** The nodes of every cell; empty if there is only one. */
  readonly regions: Readonly<Record<string, NodeRange>>;
  /** Treats a database that has never had an ID as proof that the store has forgotten no running process. */
  readonly trustsNewDatabase: boolean;
  /** The Redis belongs to this gateway alone, so it has forgotten no other running process. */
  readonly trustEmptyRedis: boolean;
  readonly observer: (event: NodeLeaseEvent) => void;
}

/** How long one attempt waits for a quarantine. One that opens because no node was in use lasts two seconds. */
const QUARANTINE_WAIT_MS = 3_000;
/** Pause between two attempts. At most half the shortest quarantine, or the store would look as if it had been frozen. */
const TRY_AGAIN_MS = 500;

/** The node of this process and the one generator that mints on it. While it has none, it tries to lease one. */
export class Node {
  /** Where nodes are leased. */
  readonly source: RedisConnection | LeaseStore;
  readonly #options: NodeOptions;
  readonly #own: Pool | undefined;
  #held: { readonly lease: AnyNodeLease; readonly generator: TsidGenerator } | undefined;
  /** While no node is held: the last attempt found all nodes of the range taken. */
  #isExhausted = false;
  #mintedCount = 0;
  #trying: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReleased = false;

  private constructor(options: NodeOptions) {
    const { config, pool, redis, regions } = options;
    this.#options = options;
    this.#own = config.nodeStore === 'postgres' ? ownConnection(pool, () => {}) : undefined;
    this.source = this.#own === undefined ? redis : postgresLeaseStore(this.#own, { regions });
  }

  /**
   * Leases a node. If the store does not grant one now, resolves without, and goes on trying until it does.
   *
   * @throws NodeLeaseError that no later attempt would end, such as a store of another fleet; no node is held then
   */
  static async start(options: NodeOptions): Promise<Node> {
    const node = new Node(options);
    try {
      await node.#take(options);
    } catch (error) {
      if (!(error instanceof NodeLeaseError) || !error.retryable) {
        await node.release();
        throw error;
      }
      node.#takeLater(error);
    }
    return node;
  }

  /** State of the lease; while no node has been granted, only that none is free, if that is why. */
  health(): Partial<NodeLeaseHealth> {
    return this.#held?.lease.health() ?? (this.#isExhausted ? { freeNodeCount: 0 } : {});
  }

  /** Length of the window of a grant. */
  get windowMs(): number {
    return this.#options.config.nodeLeaseWindowMs;
  }

  /** IDs minted since the lease was acquired. */
  get mintedCount(): number {
    return this.#mintedCount;
  }

  /** Milliseconds in which more IDs were requested than the sequence holds. */
  get overflowCount(): number {
    return this.#held?.generator.overflowCount ?? 0;
  }

  /** Returns the next ID. @throws NodeUnavailableError while there is no node */
  mint(): bigint {
    const id = this.#generator().next();
    this.#mintedCount += 1;
    return id;
  }

  /** Returns `count` IDs in ascending order. @throws NodeUnavailableError while there is no node */
  mintMany(count: number): bigint[] {
    // Most callers want one or a few, for which the typed arrays of nextMany cost more than the IDs.
    const generator = this.#generator();
    const ids: bigint[] = [];
    while (ids.length < count) ids.push(generator.next());
    this.#mintedCount += count;
    return ids;
  }

  /** Stops minting and releases the node. */
  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#timer);
    await this.#trying;
    this.#held?.generator.close();
    await this.#held?.lease.release();
    await this.#own?.end();
  }

  #generator(): TsidGenerator {
    if (this.#held === undefined) throw new NodeUnavailableError('LOST');
    return this.#held.generator;
  }

  async #take(options: NodeOptions): Promise<void> {
    const { config, observer } = options;
    const lease = await (config.developmentNode
      ? developmentNode({ production: config.production, observer })
      : leasedNode(options, this.source));
    this.#held = { lease, generator: createTsidGenerator({ lease, clockBack: { waitMaxMs: 20 } }) };
  }

  #takeLater(cause: unknown): void {
    if (this.#isReleased) return;
    this.#isExhausted = cause instanceof NodesExhaustedError;
    this.#options.observer(
      cause instanceof NodeLeaseQuarantinedError
        ? { kind: 'QUARANTINED', leftMs: cause.leftMs, reason: cause.reason }
        : { kind: 'CLAIM_FAILED', retryInMs: TRY_AGAIN_MS, cause },
    );
    this.#timer = setTimeout(() => {
      // By now, other workers may have minted IDs that an emptied Redis does not know of.
      const options = { ...this.#options, trustEmptyRedis: false };
      this.#trying = this.#take(options).catch((error: unknown) => this.#takeLater(error));
    }, TRY_AGAIN_MS).unref();
  }
}

function leasedNode(
  { config, pool, nodes, trustsNewDatabase, trustEmptyRedis, observer }: NodeOptions,
  source: Node['source'],
): Promise<NodeLease> {
  const isRedis = !('claim' in source);
  return leaseFromPinned(pool, isRedis ? 'Redis' : 'PostgreSQL', ({ id, isNew }) =>
    leaseNode({
      ...(isRedis ? { redis: source } : { store: source }),
      windowMs: config.nodeLeaseWindowMs,
      waitMaxMs: QUARANTINE_WAIT_MS,
      trustEmptyStore: (isRedis && trustEmptyRedis) || (isNew && trustsNewDatabase),
      holder: `${hostname()}:${process.pid}`,
      observer,
      ...(id !== undefined && { allocatorId: id }),
      ...(nodes && { nodes: { first: nodes[0], last: nodes[1] } }),
    }),
  );
}

export interface FleetList extends NodeLeaseList {
  /** First and last node of ranges whose store has not answered: their holders are unknown. */
  readonly unanswered: readonly (readonly [number, number])[];
}

/** Whether the store of a node has not answered. */
export function isUnanswered({ unanswered }: Pick<FleetList, 'unanswered'>, node: number): boolean {
  return unanswered.some(([first, last]) => first <= node && node <= last);
}

/** Lists who holds which node. Redis may have run a call that it did not answer, but has changed nothing: none is unknown. */
export async function listRedisFleet(redis: RedisConnection): Promise<FleetList> {
  try {
    return { ...(await listNodeLeases(redis)), unanswered: [] };
  } catch (error) {
    if (!(error instanceof RedisFailure && error.retryable)) throw error;
    const message = 'Redis does not respond, so the holders of the nodes are unknown; try again.';
    throw unavailable('REDIS_UNAVAILABLE', message, 1_000);
  }
}

/** Lists who holds which node, from the stores of the cells together. @throws why the first does not answer if none does */
export async function listFleet(
  cells: readonly { readonly nodes: NodeOptions['nodes']; readonly running: { readonly node: Node } }[],
): Promise<FleetList> {
  const answers = await Promise.allSettled(
    cells.map(async (cell) => listNodeLeases(cell.running.node.source)),
  );
  const lists = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const [first] = lists;
  if (first === undefined) throw (answers[0] as PromiseRejectedResult).reason;
  const leases = lists.flatMap((list) => list.leases);
  const unanswered = cells.flatMap(({ nodes }, index) =>
    nodes && answers[index]?.status === 'rejected' ? [nodes] : [],
  );
  const unknownCount = unanswered.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return {
    ...first,
    leases,
    ended: lists.flatMap((list) => list.ended),
    unanswered,
    freeNodeCount: first.nodeCount - leases.length - unknownCount,
    quarantineLeftMs: Math.max(...lists.map((list) => list.quarantineLeftMs)),
  };
}
