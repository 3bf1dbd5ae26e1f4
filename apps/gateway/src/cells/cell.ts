import type { Numbering } from '@solegate/doc-numbering';
import type { TripReservation } from '@solegate/trip-reservation';
import { GatewayError } from '../errors/gateway-error.js';
import { postgresProbe } from '../operations/store-probes.js';
import type { Database } from '../stores/database.js';
import type { Node } from '../tsid/node.js';

/** Between two tries to start what could not be started. */
const START_AGAIN_MS = 1_000;

/** What runs on one PostgreSQL. */
export interface RunningCell {
  readonly database: Database;
  /** Mints the IDs of what is stored there. */
  readonly node: Node;
  readonly numbering: Numbering;
  readonly trips: TripReservation;
  /** Lets what is under way finish, gives the node back, closes the connections. */
  close(): Promise<void>;
}

export interface CellOptions {
  readonly name: string;
  /** First and last node of its IDs; absent: every node, as it is the only cell. */
  readonly nodes: readonly [number, number] | undefined;
  readonly start: () => Promise<RunningCell>;
  readonly notStarted: (error: unknown) => void;
}

/**
 * One PostgreSQL of a gateway. It may be away while others work: whatever needs it is refused, surely not applied, and it
 * is started as soon as it can be.
 */
export class Cell {
  readonly name: string;
  readonly nodes: readonly [number, number] | undefined;
  readonly #options: CellOptions;
  #running: RunningCell | undefined;
  #trying: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
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
    throw new GatewayError({
      code: 'SERVICE_UNAVAILABLE',
      reason: 'STORE_UNAVAILABLE',
      message: 'The database cannot be reached. Nothing was done; try again.',
      retryable: true,
      retryAfterMs: START_AGAIN_MS,
    });
  }

  get hasStarted(): boolean {
    return this.#running !== undefined;
  }

  /** Whether it has started and answered the last probe. */
  get isUp(): boolean {
    return this.hasStarted && this.#isAnswering;
  }

  /** Tries once. @throws what keeps it from starting */
  async start(): Promise<void> {
    const running = await this.#options.start();
    if (this.#isClosed) await running.close();
    else this.#running = running;
  }

  /** Tries again and again, in the background, until it has started or is closed. */
  keepStarting(): void {
    this.#timer = setTimeout(() => {
      this.#trying = this.start().catch((error: unknown) => {
        this.#options.notStarted(error);
        if (!this.#isClosed) this.keepStarting();
      });
    }, START_AGAIN_MS).unref();
  }

  /** Why it cannot be used, for readiness; asked twice a second. */
  async probe(): Promise<string | undefined> {
    const reason = this.#running
      ? await postgresProbe(this.#running.database.pool)()
      : 'PostgreSQL could not be used yet';
    this.#isAnswering = reason === undefined;
    return reason;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#trying;
    await this.#running?.close();
  }
}
