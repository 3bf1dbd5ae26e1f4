import type {
  IssueRequest,
  Numbering,
  NumberWriter,
  WriteDocuments,
  WriterOptions,
} from '@solegate/doc-numbering';
import type { Cells } from '../cells/cells.js';
import { badInput } from '../errors/gateway-error.js';
import type { MasterData } from '../master-data/master-data.js';
import { projectNeeded } from '../master-data/project-access.js';

type First<Method extends keyof Numbering> = Parameters<Numbering[Method]>[0];

/** Separates the name of a cell from the token it issued; no token of a cell contains it. */
const SEPARATOR = '~';

/**
 * Numbering over several cells. Each space is in the cell that its project names; a reservation's token carries the
 * name of its cell; a number requested by ID is looked up where its ID was made. A call without a cell is refused.
 */
export class CellNumbering implements Numbering {
  constructor(
    private readonly cells: Cells,
    private readonly data: MasterData,
  ) {}

  async issue(request: IssueRequest) {
    return (await this.#of(request.space)).issue(request);
  }

  async issueMany(request: IssueRequest, count: number) {
    return (await this.#of(request.space)).issueMany(request, count);
  }

  async issueIn(...[session, request]: Parameters<Numbering['issueIn']>) {
    return (await this.#of(request.space)).issueIn(session, request);
  }

  async issueAllIn(...[session, requests]: Parameters<Numbering['issueAllIn']>) {
    return (await this.#of(requests[0]?.space)).issueAllIn(session, requests);
  }

  registerWriter<Document>(
    name: string,
    write: WriteDocuments<Document>,
    options?: WriterOptions<Document>,
  ): NumberWriter<Document> {
    const writers = new Map<Numbering, NumberWriter<Document>>();
    return {
      issue: async (request, document) => {
        const numbering = await this.#of(request.space);
        const writer = writers.get(numbering) ?? numbering.registerWriter(name, write, options);
        writers.set(numbering, writer);
        return writer.issue(request, document);
      },
    };
  }

  async reserve(request: First<'reserve'>) {
    const cell = await this.data.cellOf(request.space);
    const held = await cell.running.numbering.reserve(request);
    return cell === this.cells.first ? held : { ...held, token: `${cell.name}${SEPARATOR}${held.token}` };
  }

  async confirm(request: First<'confirm'>) {
    const [numbering, token] = this.#ofToken(request.token);
    return numbering.confirm({ ...request, token });
  }

  async cancel(request: First<'cancel'>) {
    const [numbering, token] = this.#ofToken(request.token);
    return numbering.cancel({ ...request, token });
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

  async void(request: First<'void'>) {
    return (await this.#of(request.space)).void(request);
  }

  async voidAndReplace(request: First<'voidAndReplace'>) {
    return (await this.#of(request.space)).voidAndReplace(request);
  }

  async assign(request: First<'assign'>) {
    return (await this.#of(request.space)).assign(request);
  }

  async skipTo(request: First<'skipTo'>) {
    return (await this.#of(request.space)).skipTo(request);
  }

  async acceptRegression(request: First<'acceptRegression'>): ReturnType<Numbering['acceptRegression']> {
    return (await this.#of(request.space)).acceptRegression(request);
  }

  async importNumbers(request: First<'importNumbers'>) {
    return (await this.#of(request.space)).importNumbers(request);
  }

  async preview(address: First<'preview'>) {
    return (await this.#of(address.space)).preview(address);
  }

  async parse(request: First<'parse'>) {
    return (await this.#of(request.space)).parse(request);
  }

  async defineSeries(definition: First<'defineSeries'>) {
    return (await this.#of(definition.space)).defineSeries(definition);
  }

  async listSeries(filter: First<'listSeries'> = {}) {
    return (await this.#of(filter.space)).listSeries(filter);
  }

  async saveFormat(request: First<'saveFormat'>) {
    return (await this.#of(request.space)).saveFormat(request);
  }

  async saveDefaultFormat(request: First<'saveDefaultFormat'>) {
    return (await this.#of(request.space)).saveDefaultFormat(request);
  }

  async withdrawFormat(request: First<'withdrawFormat'>) {
    return (await this.#of(request.space)).withdrawFormat(request);
  }

  async listFormats(filter: First<'listFormats'> = {}) {
    return (await this.#of(filter.space)).listFormats(filter);
  }

  async findNumber(query: First<'findNumber'>) {
    if ('id' in query) return (await this.findNumbersById([query.id]))[0];
    if ('token' in query) {
      const [numbering, token] = this.#ofToken(query.token);
      return numbering.findNumber({ token });
    }
    return (await this.#of(query.space)).findNumber(query);
  }

  async findNumbersById(ids: First<'findNumbersById'>) {
    return this.cells.findEach(ids.map(BigInt), ({ numbering }, own) => numbering.findNumbersById(own));
  }

  async findSeals(numbers: First<'findSeals'>) {
    const cells = await Promise.all(numbers.map(({ space }) => this.#of(space)));
    const isOf = (cell: Numbering) => (_: unknown, index: number) => cells[index] === cell;
    const found = new Map(
      await Promise.all(
        [...new Set(cells)].map(async (cell) => {
          return [cell, (await cell.findSeals(numbers.filter(isOf(cell)))).values()] as const;
        }),
      ),
    );
    return cells.map((cell) => found.get(cell)?.next().value);
  }

  async verifyChain(...args: Parameters<Numbering['verifyChain']>) {
    // Each cell has chains of its own.
    if (this.cells.running.length > 1) throw projectNeeded();
    return this.cells.first.running.numbering.verifyChain(...args);
  }

  async listNumbers(...[filter, page]: Parameters<Numbering['listNumbers']>) {
    if (filter.number === undefined || filter.space !== undefined) {
      return (await this.#of(filter.space)).listNumbers(filter, page);
    }
    // Every cell lists in the order of spaces, so that the beginnings of its pages are the page of them all.
    const pages = await Promise.all(
      this.cells.all.map(({ running }) => running.numbering.listNumbers(filter, page)),
    );
    const found = pages
      .flatMap(({ items }) => items)
      .toSorted((one, other) => (one.item.space < other.item.space ? -1 : 1));
    const items = found.slice(0, page?.first ?? found.length);
    const hasNextPage = items.length < found.length || pages.some((one) => one.hasNextPage);
    return { items, hasNextPage, endCursor: items.at(-1)?.cursor };
  }

  async listCounters(...[filter, page]: Parameters<Numbering['listCounters']>) {
    return (await this.#of(filter.space)).listCounters(filter, page);
  }

  async listEvents(...[filter, page]: Parameters<Numbering['listEvents']>) {
    return (await this.#of(filter.space)).listEvents(filter, page);
  }

  exportCsv(filter: First<'exportCsv'>) {
    if (filter.space === undefined) throw projectNeeded();
    return this.#export(filter);
  }

  async reconcile(request: First<'reconcile'> = {}) {
    return (await this.#of(request.space)).reconcile(request);
  }

  async close() {
    await Promise.all(this.cells.running.map(({ numbering }) => numbering.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#export(filter: First<'exportCsv'>) {
    yield* (await this.#of(filter.space)).exportCsv(filter);
  }

  /** @throws {GatewayError} PROJECT_NEEDED */
  async #of(space: string | undefined): Promise<Numbering> {
    if (space === undefined) throw projectNeeded();
    return (await this.data.cellOf(space)).running.numbering;
  }

  /** A token without a name belongs to the first cell, even if it was issued before there was a second one. */
  #ofToken(given: string): [Numbering, string] {
    const [name = '', token] = given.split(SEPARATOR, 2);
    if (token === undefined) return [this.cells.first.running.numbering, given];
    const cell = this.cells.all.find((one) => one.name === name);
    if (cell === undefined) throw badInput('INVALID_REQUEST', 'The token does not belong to a reservation.');
    return [cell.running.numbering, token];
  }
}
