import {
  InvalidRequestError,
  type Numbering,
  NumberingError,
  type NumberWriter,
  type WriteDocuments,
  type WriterOptions,
} from '@solegate/doc-numbering';
import type { Cell } from '../cells/cell.js';
import type { Cells } from '../cells/cells.js';
import { badInput } from '../errors/gateway-error.js';
import type { MasterData } from '../master-data/master-data.js';
import { projectNeeded } from '../master-data/project-access.js';

type First<Method extends keyof Numbering> = Parameters<Numbering[Method]>[0];
type Call = (...args: unknown[]) => Promise<unknown>;

const spaceOf = (request?: { readonly space?: string | undefined }) => request?.space;

/** The calls that a single cell answers, and where each finds its space. */
const SPACE_OF = {
  issue: spaceOf,
  issueMany: spaceOf,
  issueIn: (...[, request]: Parameters<Numbering['issueIn']>) => request.space,
  issueAllIn: (...[, requests]: Parameters<Numbering['issueAllIn']>) => requests[0]?.space,
  void: spaceOf,
  voidAndReplace: spaceOf,
  assign: spaceOf,
  skipTo: spaceOf,
  acceptRegression: spaceOf,
  importNumbers: spaceOf,
  preview: spaceOf,
  parse: spaceOf,
  defineSeries: spaceOf,
  listSeries: spaceOf,
  saveFormat: spaceOf,
  saveDefaultFormat: spaceOf,
  withdrawFormat: spaceOf,
  listFormats: spaceOf,
  listCounters: spaceOf,
  listEvents: spaceOf,
  reconcile: spaceOf,
  feed: spaceOf,
} satisfies { [Name in keyof Numbering]?: (...args: Parameters<Numbering[Name]>) => string | undefined };

type OfOneSpace = Pick<Numbering, keyof typeof SPACE_OF>;

/** Separates the name of a cell from the token it issued; no token of a cell contains it. */
const SEPARATOR = '~';

/** Most numbers with one text that a search looks at, as in one cell. */
const FOUND_MAX = 1_000;

/** The errors of calls that found nothing. */
const ABSENT: ReadonlySet<string> = new Set(['NUMBER_NOT_FOUND', 'UNKNOWN_SERIES', 'NO_FORMAT']);

/** The calls that read a token or ask several cells. */
class CallsOverCells implements Omit<Numbering, keyof OfOneSpace> {
  constructor(
    private readonly cells: Cells,
    private readonly data: MasterData,
  ) {}

  registerWriter<Document>(
    name: string,
    write: WriteDocuments<Document>,
    options?: WriterOptions<Document>,
  ): NumberWriter<Document> {
    const writers = new Map<Numbering, NumberWriter<Document>>();
    return {
      issue: async (request, document) => {
        return this.ask(await this.of(request.space), (numbering) => {
          const writer = writers.get(numbering) ?? numbering.registerWriter(name, write, options);
          writers.set(numbering, writer);
          return writer.issue(request, document);
        });
      },
    };
  }

  async reserve(request: First<'reserve'>) {
    const cell = await this.data.cellOf(request.space);
    const held = await this.ask(cell, (numbering) => numbering.reserve(request));
    return cell === this.cells.first ? held : { ...held, token: `${cell.name}${SEPARATOR}${held.token}` };
  }

  async confirm(request: First<'confirm'>) {
    const [cell, token] = this.#ofToken(request.token);
    return this.ask(cell, (numbering) => numbering.confirm({ ...request, token }));
  }

  async cancel(request: First<'cancel'>) {
    const [cell, token] = this.#ofToken(request.token);
    return this.ask(cell, (numbering) => numbering.cancel({ ...request, token }));
  }

  async expireReservations(request?: First<'expireReservations'>) {
    const counts = await Promise.all(
      this.cells.running.map(({ numbering }) => numbering.expireReservations(request)),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  startSweeper(request?: First<'startSweeper'>) {
    for (const { numbering } of this.cells.running) numbering.startSweeper(request);
  }

  async findNumber(query: First<'findNumber'>) {
    if ('id' in query) return (await this.findNumbersById([query.id]))[0];
    const [cell, own] =
      'token' in query
        ? this.#ofToken(query.token)
        : ([await this.data.cellOf(query.space), undefined] as const);
    const found = await cell.running.numbering.findNumber(own === undefined ? query : { token: own });
    if (found === undefined) await this.cells.refuseIfFenced([cell]);
    return found;
  }

  async findNumbersById(ids: First<'findNumbersById'>) {
    return this.cells.findEach(ids.map(BigInt), ({ numbering }, own) => numbering.findNumbersById(own));
  }

  async findSeals(numbers: First<'findSeals'>) {
    return this.data.findEach(numbers, ({ numbering }, own) => numbering.findSeals(own));
  }

  async verifyChain(...args: Parameters<Numbering['verifyChain']>) {
    // Each cell has chains of its own.
    if (this.cells.running.length > 1) throw projectNeeded();
    return this.cells.first.running.numbering.verifyChain(...args);
  }

  async listNumbers(...[filter, page]: Parameters<Numbering['listNumbers']>) {
    const { space, spaces, number, key, document } = filter;
    const isOfOneCell = number === undefined || space !== undefined;
    // Every cell lists in the order of spaces, or against it, so that the beginnings of its pages are the page of them all.
    const cells = isOfOneCell ? [await this.of(space)] : await this.#cellsOf(spaces);
    const pages = await Promise.all(cells.map(({ running }) => running.numbering.listNumbers(filter, page)));
    const isLookup = number !== undefined || key !== undefined || document !== undefined;
    if (isLookup && pages.every(({ items }) => items.length === 0)) await this.cells.refuseIfFenced(cells);
    // A page of one cell can end after rows that it looked at and does not contain.
    if (pages[0] !== undefined && pages.length === 1) return pages[0];
    const before = filter.newestFirst ? 1 : -1;
    const all = pages.flatMap(({ items }) => items);
    const found = all.toSorted((one, other) => (one.item.space < other.item.space ? before : -before));
    const items = found.slice(0, page?.first ?? found.length);
    const hasNextPage = items.length < found.length || pages.some((one) => one.hasNextPage);
    return { items, hasNextPage, endCursor: items.at(-1)?.cursor };
  }

  async searchNumbers(search: First<'searchNumbers'>) {
    const { first = 50, skip = 0 } = search;
    for (const [field, value, min] of [
      ['skip', skip, 0],
      ['first', first, 1],
    ] as const) {
      if (!Number.isInteger(value) || value < min || value > FOUND_MAX)
        throw new InvalidRequestError(field, `must be a whole number from ${min} to ${FOUND_MAX}`);
    }
    // The page can consist of the newest numbers of one cell.
    const end = Math.min(skip + first, FOUND_MAX);
    const upTo = { ...search, skip: 0, first: end };
    const cells = await this.#cellsOf(search.spaces);
    const found = await Promise.all(cells.map(({ running }) => running.numbering.searchNumbers(upTo)));
    const total = found.reduce((sum, one) => sum + one.total, 0);
    if (total === 0) await this.cells.refuseIfFenced(cells);
    return {
      entries: found
        .flatMap(({ entries }) => entries)
        .toSorted((one, other) => other.issuedAt.getTime() - one.issuedAt.getTime())
        .slice(skip, end),
      total: Math.min(total, FOUND_MAX),
      isMore: total > FOUND_MAX || found.some(({ isMore }) => isMore),
    };
  }

  waitingMarkCount() {
    return this.cells.running.reduce((sum, { numbering }) => sum + numbering.waitingMarkCount(), 0);
  }

  exportCsv(filter: First<'exportCsv'>) {
    if (filter.space === undefined) throw projectNeeded();
    return this.#export(filter);
  }

  async close() {
    await Promise.all(this.cells.running.map(({ numbering }) => numbering.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#export(filter: First<'exportCsv'>) {
    yield* (await this.of(filter.space)).running.numbering.exportCsv(filter);
  }

  /** Returns the cells with the numbers of spaces; without spaces, all cells. */
  async #cellsOf(spaces: readonly string[] | undefined): Promise<readonly Cell[]> {
    if (spaces === undefined) return this.cells.all;
    return [...new Set(await Promise.all(spaces.map(async (space) => this.data.cellOf(space))))];
  }

  /** Returns the cell of a space. @throws {GatewayError} PROJECT_NEEDED */
  async of(space: string | undefined): Promise<Cell> {
    if (space === undefined) throw projectNeeded();
    return this.data.cellOf(space);
  }

  /** @throws what the call throws; {GatewayError} STORE_UNAVAILABLE instead if it found nothing and the cell moves */
  async ask<Result>(cell: Cell, call: (numbering: Numbering) => Promise<Result>): Promise<Result> {
    try {
      return await call(cell.running.numbering);
    } catch (error) {
      if (error instanceof NumberingError && ABSENT.has(error.code)) await this.cells.refuseIfFenced([cell]);
      throw error;
    }
  }

  /** A token without a name belongs to the first cell, even if it was issued before there was a second one. */
  #ofToken(given: string): readonly [Cell, string] {
    const [name = '', token] = given.split(SEPARATOR, 2);
    if (token === undefined) return [this.cells.first, given];
    const cell = this.cells.all.find((one) => one.name === name);
    if (cell === undefined) throw badInput('INVALID_REQUEST', 'The token does not belong to a reservation.');
    return [cell, token];
  }
}

function forwarded(over: CallsOverCells): OfOneSpace {
  const calls = Object.entries(SPACE_OF as Record<string, (...args: unknown[]) => string | undefined>);
  return Object.fromEntries(
    calls.map(([name, spaceOfCall]) => [
      name,
      async (...args: unknown[]) =>
        over.ask(await over.of(spaceOfCall(...args)), (numbering) =>
          (numbering[name as keyof OfOneSpace] as Call).apply(numbering, args),
        ),
    ]),
  ) as unknown as OfOneSpace;
}

/**
 * Numbering over several cells. Each space is in the cell that its project names; a reservation's token carries the
 * name of its cell; a number requested by ID is looked up where its ID was made. A call without a cell is refused.
 */
export function cellNumbering(cells: Cells, data: MasterData): Numbering {
  const calls = new CallsOverCells(cells, data);
  return Object.assign(calls, forwarded(calls));
}
