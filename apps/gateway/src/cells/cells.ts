import { explain } from '@solegate/tsid-core';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { badInput, type GatewayError, unavailable } from '../errors/gateway-error.js';
import type { Cell, RunningCell } from './cell.js';

/** A message names no more regions than this. */
const REGIONS_SHOWN_MAX = 20;
const FIRST_IS_AWAY =
  'The database that knows whether this exists does not respond. Nothing was done; try again.';

/*
 * All PostgreSQL databases of a gateway; usually one, which then serves every request.
 *
 * Data is located by a project's row (its numbers), by the node in an ID (trips, and numbers looked up by ID), or by
 * the configuration (new trips of a region). The first cell holds everything else: all data older than the second cell.
 */
export class Cells {
  /** @param regions maps a region to the name of its cell */
  constructor(
    readonly all: readonly [Cell, ...Cell[]],
    private readonly regions: ReadonlyMap<string, string> = new Map(),
  ) {}

  get first(): Cell {
    return this.all[0];
  }

  get isOne(): boolean {
    return this.all.length === 1;
  }

  /** The cells that have started, whether or not they respond now. */
  get running(): readonly RunningCell[] {
    return this.all.filter((cell) => cell.hasStarted).map((cell) => cell.running);
  }

  readonly pools = (): readonly Pool[] => this.running.map(({ database }) => database.pool);

  /**
   * Starts the first cell before the others, because only the first may trust a Redis without data. A cell that
   * cannot be started is retried in the background, unless none can be started.
   *
   * @throws the first cell's error if no cell starts
   */
  async start(): Promise<void> {
    const [first, ...others] = this.all;
    const [started] = await Promise.allSettled([first.start()]);
    await Promise.allSettled(others.map((cell) => cell.start()));
    if (started.status === 'rejected' && this.running.length === 0) throw started.reason;
    for (const cell of this.all) if (!cell.hasStarted) cell.keepStarting();
  }

  /** Returns the cell with this name. @throws {GatewayError} CELL_UNKNOWN if it is not (yet) in this gateway's list */
  named(name: string | null | undefined): Cell {
    if (name === null || name === undefined) return this.first;
    const cell = this.all.find((one) => one.name === name);
    if (cell !== undefined) return cell;
    throw unavailable(
      'CELL_UNKNOWN',
      'This gateway does not know where this data is stored; retry on another gateway.',
    );
  }

  /** Returns the cells to search for an ID, in order: the cell that it was minted for, then the first one. */
  ofId(id: bigint): readonly [Cell, ...Cell[]] {
    if (this.isOne) return [this.first];
    const { node } = explain(id);
    const made = this.all.find(({ nodes }) => nodes !== undefined && nodes[0] <= node && node <= nodes[1]);
    return made === undefined || made === this.first ? [this.first] : [made, this.first];
  }

  /**
   * Returns the cell with the trips of a region. The name of a cell is a region of it, so that each can be listed.
   *
   * @throws {GatewayError} UNKNOWN_REGION
   */
  ofRegion(region: string | null | undefined): Cell {
    if (region === null || region === undefined) return this.first;
    const name = this.regions.get(region);
    if (name !== undefined) return this.named(name);
    const cell = this.isOne ? undefined : this.all.find((one) => one.name === region);
    if (cell !== undefined) return cell;
    const advice = this.isOne ? 'omit it' : `name one of ${this.#regionNames}, or none`;
    throw badInput('UNKNOWN_REGION', `There is no such region; ${advice}.`);
  }

  /** The refusal of a list over all cells: its pages come from one. */
  regionNeeded(): GatewayError {
    return badInput('REGION_NEEDED', `Name a region with "filter: { region }": one of ${this.#regionNames}.`);
  }

  get #regionNames(): string {
    const names = [...new Set([...this.regions.keys(), ...this.all.map(({ name }) => name)])];
    const shown = names.slice(0, REGIONS_SHOWN_MAX).join(', ');
    return names.length > REGIONS_SHOWN_MAX ? `${shown}, …` : shown;
  }

  /**
   * Call it with the cells in which a search found nothing.
   *
   * @throws {GatewayError} STORE_UNAVAILABLE if one of them moves, see `Cell.refuseIfFenced`
   */
  async refuseIfFenced(searched: readonly Cell[]): Promise<void> {
    // A single database is not in a list, so it cannot move.
    if (this.isOne) return;
    await Promise.all([...new Set(searched)].map((cell) => cell.refuseIfFenced()));
  }

  /** Finds rows by ID, in the order of the IDs, with one query per cell, plus one for fallbacks to the first cell. */
  async findEach<Row>(
    ids: readonly bigint[],
    find: (cell: RunningCell, ids: readonly bigint[]) => Promise<readonly (Row | undefined)[]>,
  ): Promise<(Row | undefined)[]> {
    const found = new Map<bigint, Row>();
    const ask = async (cell: Cell, wanted: readonly bigint[]): Promise<void> => {
      const rows = await find(cell.running, wanted);
      for (const [index, id] of wanted.entries()) {
        const row = rows[index];
        if (row !== undefined) found.set(id, row);
      }
    };
    const isOf = (cell: Cell) => (id: bigint) => this.ofId(id)[0] === cell;
    const wanted = this.all.map((cell) => ({ cell, own: ids.filter(isOf(cell)) }));
    await Promise.all(wanted.filter(({ own }) => own.length > 0).map(({ cell, own }) => ask(cell, own)));
    const missing = ids.filter((id) => !found.has(id) && !isOf(this.first)(id));
    if (missing.length > 0) await ask(this.first, missing);
    await this.refuseIfFenced(ids.filter((id) => !found.has(id)).flatMap((id) => this.ofId(id)));
    return ids.map((id) => found.get(id));
  }

  /**
   * Reads rows that every cell has: from the first cell, or from the next one if that fails.
   *
   * @throws {GatewayError} STORE_UNAVAILABLE if it finds fewer than `wantedCount`, and the cell moves or is not the first:
   *   others may have been away when a row was written
   */
  async read<Row>(ask: (dataSource: DataSource) => Promise<Row[]>, wantedCount = 0): Promise<Row[]> {
    const up = this.all.filter((cell) => cell.isUp);
    let failure: unknown;
    for (const cell of up.length === 0 ? [this.first] : up) {
      const rows = await ask(cell.running.database.dataSource).catch((error: unknown) => {
        failure ??= error;
      });
      if (rows === undefined) continue;
      if (rows.length >= wantedCount) return rows;
      if (cell !== this.first) throw unavailable('STORE_UNAVAILABLE', FIRST_IS_AWAY);
      await this.refuseIfFenced([cell]);
      return rows;
    }
    throw failure;
  }

  /**
   * Writes data that every cell has. It is recorded once the first cell has it; a cell that is away gets it when it is back.
   *
   * @param follow what is written to the others. Default: the same
   * @throws what the first cell throws; no other cell has it then
   */
  async write<Result>(
    write: (dataSource: DataSource) => Promise<Result>,
    follow: (dataSource: DataSource) => Promise<unknown> = write,
  ): Promise<Result> {
    const [first, ...others] = this.all;
    const result = await write(first.running.database.dataSource);
    await Promise.all(others.map((cell) => cell.follow(follow)));
    return result;
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((cell) => cell.close()));
  }
}
