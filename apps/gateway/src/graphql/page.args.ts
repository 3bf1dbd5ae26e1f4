import type { Page, PageRequest } from '@solegate/doc-numbering';
import { Int } from 'type-graphql';
import { badInput } from '../errors/gateway-error.js';
import type { Connection, PageEnd } from './connection.type.js';
import { ArgsType, Fields, field, optional } from './fields.js';
import { given } from './given.js';

const PAGE_SIZE_MAX = 100;
const CURSOR_LENGTH_MAX = 1000;
const TSID_DIGITS = /^[1-9][0-9]{0,18}$/;

@ArgsType()
export class PageArgs extends Fields({
  first: field(Int, `Page size, 1 to ${PAGE_SIZE_MAX}.`, { defaultValue: 20 }),
  after: optional(String, '`endCursor` of the previous page. Default: start with the first entry.'),
}) {}

/** @throws {GatewayError} PAGE_SIZE */
export function readPageSize({ first }: PageArgs): number {
  if (first >= 1 && first <= PAGE_SIZE_MAX) return first;
  throw badInput('PAGE_SIZE', `"first" must be 1 to ${PAGE_SIZE_MAX}; read the next page with "after".`);
}

/** Reads the cursor of a list paged by another package: opaque, limited in length. @throws {GatewayError} CURSOR */
function readCursor({ after }: PageArgs): string | undefined {
  if (after === undefined || after === null || after.length <= CURSOR_LENGTH_MAX) return after ?? undefined;
  throw noSuchCursor();
}

/** Reads which page of a ledger is requested. @throws {GatewayError} PAGE_SIZE, CURSOR */
export function readPage(page: PageArgs): PageRequest {
  return { first: readPageSize(page), ...given({ after: readCursor(page) }) };
}

/** Builds a page of what a ledger listed. */
export function pageOf<Item, Node>(
  found: Page<Item>,
  page: PageArgs,
  nodeOf: (item: Item) => Node,
): Connection<Node> {
  const edges = found.items.map(({ item, cursor }) => ({ node: nodeOf(item), cursor }));
  return connectionOf(edges, page, found);
}

/** Reads the cursor of a list in order of ID. @throws {GatewayError} CURSOR */
export function readIdCursor(page: PageArgs): bigint | undefined {
  const cursor = readCursor(page);
  if (cursor === undefined) return undefined;
  const digits = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!TSID_DIGITS.test(digits)) throw noSuchCursor();
  return BigInt(digits);
}

/** Builds a page of rows in order of ID. */
export function idConnection<Node extends { readonly id: bigint }>(
  nodes: readonly Node[],
  page: PageArgs,
  hasNextPage: boolean,
): Connection<Node> {
  const edges = nodes.map((node) => ({ node, cursor: Buffer.from(String(node.id)).toString('base64url') }));
  return connectionOf(edges, page, { hasNextPage });
}

/** Builds a page of a list that was read as a whole. @throws {GatewayError} PAGE_SIZE, CURSOR */
export function pageOfList<Node extends { readonly id: string }>(
  nodes: readonly Node[],
  page: PageArgs,
): Connection<Node> {
  const first = readPageSize(page);
  const after = readCursor(page);
  const edges = nodes.map((node) => ({ node, cursor: Buffer.from(node.id).toString('base64url') }));
  const begin = after === undefined ? 0 : edges.findIndex(({ cursor }) => cursor === after) + 1;
  if (after !== undefined && begin === 0) throw noSuchCursor();
  const end = begin + first;
  return connectionOf(edges.slice(begin, end), page, { hasNextPage: edges.length > end });
}

function noSuchCursor() {
  return badInput('CURSOR', 'Give "endCursor" of the previous page as "after".');
}

function connectionOf<Node>(
  edges: Connection<Node>['edges'],
  page: PageArgs,
  { hasNextPage, endCursor = edges.at(-1)?.cursor }: PageEnd,
): Connection<Node> {
  const hasPreviousPage = readCursor(page) !== undefined;
  return { edges, pageInfo: { hasNextPage, hasPreviousPage, startCursor: edges[0]?.cursor, endCursor } };
}
