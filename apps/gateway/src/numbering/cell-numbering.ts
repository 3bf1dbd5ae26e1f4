import type { Numbering, NumberWriter, WriteDocuments, WriterOptions } from '@solegate/doc-numbering';
import type { Cells } from '../cells/cells.js';
import { badInput } from '../errors/gateway-error.js';
import type { MasterData } from '../master-data/master-data.js';
import { projectNeeded } from '../master-data/project-access.js';

type First<Method extends keyof Numbering> = Parameters<Numbering[Method]>[0];
type Call = (...args: unknown[]) => unknown;

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
} satisfies { [Name in keyof Numbering]?: (...args: Parameters<Numbering[Name]>) => string | undefined };

type OfOneSpace = Pick<Numbering, keyof typeof SPACE_OF>;

/** Separates the name of a cell from the token it issued; no token of a cell contains it. */
const SEPARATOR = '~';

/**
 * Numbering over several cells. Each space is in the cell that its project names; a reservation's token carries the
 * name of its cell; a number requested by ID is looked up where its ID was made. A call without a cell is refused.
 */
export function cellNumbering(cells: Cells, data: MasterData): Numbering {
  /** @throws {GatewayError} PROJECT_NEEDED */
  const numberingOf = async (space: string | undefined): Promise<Numbering> => {
    if (space === undefined) throw projectNeeded();
    return (await data.cellOf(space)).running.numbering;
  };

  /** A token without a name belongs to the first cell, even if it was issued before there was a second one. */
  const ofToken = (given: string): [Numbering, string] => {
    const [name = '', token] = given.split(SEPARATOR, 2);
    if (token === undefined) return [cells.first.running.numbering, given];
    const cell = cells.all.find((one) => one.name === name);
    if (cell === undefined) throw badInput('INVALID_REQUEST', 'The token does not belong to a reservation.');
    return [cell.running.numbering, token];
  };

  const findNumbersById = async (ids: First<'findNumbersById'>) =>
    cells.findEach(ids.map(BigInt), ({ numbering }, own) => numbering.findNumbersById(own));

  const close = async () => {
    await Promise.all(cells.running.map(({ numbering }) => numbering.close()));
  };

  return {
    ...forwarded(numberingOf),
    findNumbersById,
    close,
    [Symbol.asyncDispose]: close,

    registerWriter<Document>(
      name: string,
      write: WriteDocuments<Document>,
      options?: WriterOptions<Document>,
    ): NumberWriter<Document> {
      const writers = new Map<Numbering, NumberWriter<Document>>();
      return {
        issue: async (request, document) => {
          const numbering = await numberingOf(request.space);
          const writer = writers.get(numbering) ?? numbering.registerWriter(name, write, options);
          writers.set(numbering, writer);
          return writer.issue(request, document);
        },
      };
    },

    async reserve(request) {
      const cell = await data.cellOf(request.space);
      const held = await cell.running.numbering.reserve(request);
      return cell === cells.first ? held : { ...held, token: `${cell.name}${SEPARATOR}${held.token}` };
    },

    async confirm(request) {
      const [numbering, token] = ofToken(request.token);
      return numbering.confirm({ ...request, token });
    },

    async cancel(request) {
      const [numbering, token] = ofToken(request.token);
      return numbering.cancel({ ...request, token });
    },

    async expireReservations(request) {
      const counts = await Promise.all(
        cells.running.map(({ numbering }) => numbering.expireReservations(request)),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },

    startSweeper(request) {
      for (const { numbering } of cells.running) numbering.startSweeper(request);
    },

    async findNumber(query) {
      if ('id' in query) return (await findNumbersById([query.id]))[0];
      if ('token' in query) {
        const [numbering, token] = ofToken(query.token);
        return numbering.findNumber({ token });
      }
      return (await numberingOf(query.space)).findNumber(query);
    },

    async findSeals(numbers) {
      const asked = await Promise.all(numbers.map(({ space }) => numberingOf(space)));
      const isOf = (cell: Numbering) => (_: unknown, index: number) => asked[index] === cell;
      const found = new Map(
        await Promise.all(
          [...new Set(asked)].map(async (cell) => {
            return [cell, (await cell.findSeals(numbers.filter(isOf(cell)))).values()] as const;
          }),
        ),
      );
      return asked.map((cell) => found.get(cell)?.next().value);
    },

    async verifyChain(...args) {
      // Each cell has chains of its own.
      if (cells.running.length > 1) throw projectNeeded();
      return cells.first.running.numbering.verifyChain(...args);
    },

    async listNumbers(filter, page) {
      if (filter.number === undefined || filter.space !== undefined) {
        return (await numberingOf(filter.space)).listNumbers(filter, page);
      }
      // Every cell lists in the order of spaces, so that the beginnings of its pages are the page of them all.
      const pages = await Promise.all(
        cells.all.map(({ running }) => running.numbering.listNumbers(filter, page)),
      );
      const found = pages
        .flatMap(({ items }) => items)
        .toSorted((one, other) => (one.item.space < other.item.space ? -1 : 1));
      const items = found.slice(0, page?.first ?? found.length);
      const hasNextPage = items.length < found.length || pages.some((one) => one.hasNextPage);
      return { items, hasNextPage, endCursor: items.at(-1)?.cursor };
    },

    exportCsv(filter) {
      if (filter.space === undefined) throw projectNeeded();
      return exported(() => numberingOf(filter.space), filter);
    },
  };
}

function forwarded(numberingOf: (space: string | undefined) => Promise<Numbering>): OfOneSpace {
  const calls = Object.entries(SPACE_OF as Record<string, (...args: unknown[]) => string | undefined>);
  return Object.fromEntries(
    calls.map(([name, spaceOfCall]) => [
      name,
      async (...args: unknown[]) => {
        const numbering = await numberingOf(spaceOfCall(...args));
        return (numbering[name as keyof OfOneSpace] as Call).apply(numbering, args);
      },
    ]),
  ) as unknown as OfOneSpace;
}

async function* exported(numberingOf: () => Promise<Numbering>, filter: First<'exportCsv'>) {
  yield* (await numberingOf()).exportCsv(filter);
}
