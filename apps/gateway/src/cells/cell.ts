import type { Numbering } from '@solegate/doc-numbering';
import type { TripReservation } from '@solegate/trip-reservation';
import type { DriverPool } from '@solegate/trip-reservation/driver-pool';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { type GatewayError, unavailable } from '../errors/gateway-error.js';
import { leaseProbe, postgresProbe, startFault } from '../operations/store-probes.js';
import type { Database } from '../stores/database.js';
import type { Node } from '../tsid/node.js';

/** Delay before a failed start is retried. */
const START_AGAIN_MS = 1_000;

const SWEEP_AGE_MAX_MS = 1_000;

const IS_FENCED = `SELECT to_regproc('solegate_fence') IS NOT NULL AS is_fenced`;

/** The services that run on one PostgreSQL database. */
export interface RunningCell {
  readonly database: Database;
  /** Mints the IDs of the rows stored there. */
  readonly node: Node;
  readonly numbering: Numbering;
  readonly trips: TripReservation;
  /** The drivers of its trips. */
  readonly drivers: DriverPool;
  /** Whether a sweep, which asks PostgreSQL about once a second, has succeeded in the last `ms` milliseconds. */
  hasSweptWithin(ms: number): boolean;
  /** Waits for pending calls, releases the node, closes the connections. */
  close(): Promise<void>;
}

export interface CellOptions {
  readonly name: string;
  /** First and last node of its IDs; absent if this is the only cell, which uses every node. */
  readonly nodes: readonly [number, number] | undefined;
  readonly start: () => Promise<RunningCell>;
  readonly logger: Logger;
}

/** A write that the first cell has made. It can run twice. */
type Write = (dataSource: DataSource) => Promise<unknown>;

/**
 * One PostgreSQL database of a gateway. If it cannot be started, requests that need it are rejected without being
 * applied, other cells continue to work, and the start is retried until it succeeds.
 */
export class Cell {
  readonly name: string;
  readonly nodes: readonly [number, number] | undefined;
  readonly #options: CellOptions;
  #running: RunningCell | undefined;
  #trying: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #toFollow: Write[] = [];
  #following = Promise.resolve();
  readonly #startListeners = new Set<() => void>();
  #followTimer: NodeJS.Timeout | undefined;
  /** Why the last attempt to start failed. */
  #startFault: string | undefined;
  #isAnswering = true;
  #isClosed = false;

  constructor(options: CellOptions) {
    this.#options = options;
    this.name = options.name;
    this.nodes = options.nodes;
  }

  /** @throws {GatewayError} STORE_UNAVAILABLE while it has not started */
  get running(): RunningCell {
    if (this.#running !== undefined) return this.#running;
    throw notServed('The database of this data cannot be used yet. Nothing was done; try again.');
  }

  get hasStarted(): boolean {
    return this.#running !== undefined;
  }

  /** Whether it has started and passed the last probe. */
  get isUp(): boolean {
    return this.hasStarted && this.#isAnswering;
  }

  /** Tries to start once. @throws the cause of a failed start */
  async start(): Promise<void> {
    const running = await this.#options.start().catch((error: unknown) => {
      this.#startFault = startFault(error);
      throw error;
    });
    if (this.#isClosed) return running.close();
    this.#running = running;
    for (const call of this.#startListeners) call();
    this.#startListeners.clear();
  }

  /** Calls back once it has started, immediately if it has. @returns call it to stop listening */
  onStarted(call: () => void): () => void {
    if (this.hasStarted) call();
    else this.#startListeners.add(call);
    return () => this.#startListeners.delete(call);
  }

  /** Retries in the background until the cell has started or is closed. */
  keepStarting(): void {
    this.#timer = setTimeout(() => {
      this.#trying = this.start().catch((error: unknown) => {
        this.#warn(error, 'a cell could not be started; the start is retried');
        if (!this.#isClosed) this.keepStarting();
      });
    }, START_AGAIN_MS).unref();
  }

  /**
   * Repeats a write of the first cell, after earlier ones: now if the cell answers, else in the background until it has
   * succeeded; while an earlier one is to be retried, nobody waits. Never rejects. What is left when the process ends is
   * written when somebody repeats the request.
   */
  async follow(write: Write): Promise<void> {
    this.#toFollow.push(write);
    await this.#catchUp();
  }

  #catchUp(): Promise<void> {
    this.#following = this.#following.then(() =>
      this.#followTimer === undefined ? this.#followAll() : undefined,
    );
    return this.#following;
  }

  async #followAll(): Promise<void> {
    try {
      for (let [next] = this.#toFollow; next !== undefined; [next] = this.#toFollow) {
        await next(this.running.database.dataSource);
        this.#toFollow.shift();
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.#warn(error, 'master data was not written to a cell; it is retried');
      this.#followTimer = setTimeout(() => {
        this.#followTimer = undefined;
        void this.#catchUp();
      }, START_AGAIN_MS).unref();
    }
  }

  /** Returns why the cell cannot be used, or undefined. Readiness calls this twice a second. */
  async probe(): Promise<string | undefined> {
    const reason = await this.#reason();
    this.#isAnswering = reason === undefined;
    return reason;
  }

  /** Returns why it has no node of its range, or undefined; also undefined before it has started. */
  probeNode(): string | undefined {
    return this.#running && leaseProbe(this.#running.node.health());
  }

  /**
   * Call it after a search that found nothing. While a cell moves, its database is fenced (docs/scaling.md): what was created
   * in the copy since is unknown here, so nothing may be reported as absent.
   *
   * @throws {GatewayError} STORE_UNAVAILABLE if it is fenced
   */
  async refuseIfFenced(): Promise<void> {
    const { rows } = await this.running.database.pool.query<{ readonly is_fenced: boolean }>(IS_FENCED);
    if (rows[0]?.is_fenced === true)
      throw notServed('This data is being moved. Nothing was done; try again.');
  }

  async #reason(): Promise<string | undefined> {
    const running = this.#running;
    if (running === undefined) return this.#startFault ?? 'PostgreSQL is not ready yet';
    // Where a sweep has just been answered, there is nothing to ask.
    return running.hasSweptWithin(SWEEP_AGE_MAX_MS) ? undefined : postgresProbe(running.database.pool)();
  }

  #warn(error: unknown, message: string): void {
    this.#options.logger.warn({ err: error, cell: this.name }, message);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#followTimer);
    await this.#trying;
    await this.#following;
    await this.#running?.close();
  }
}

function notServed(message: string): GatewayError {
  return unavailable('STORE_UNAVAILABLE', message, START_AGAIN_MS);
}
