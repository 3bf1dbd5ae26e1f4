import type { GatewayClient } from '../session/gateway-client.js';
import { type Answer, useAnswer } from '../session/use-answer.js';

interface Coded {
  readonly code: string;
  readonly name: string;
}

const KINDS = ['projects', 'organizations', 'correspondenceTypes', 'disciplines'] as const;
export type CodeKind = (typeof KINDS)[number];

export const KIND_WORDS: Readonly<Record<CodeKind, string>> = {
  projects: 'Projects',
  organizations: 'Organizations',
  correspondenceTypes: 'Document types',
  disciplines: 'Disciplines',
};

export function isCodeKind(text: string | undefined): text is CodeKind {
  return KINDS.some((kind) => kind === text);
}

/** Codes of one kind, in alphabetical order. */
export interface CodeList {
  readonly kind: CodeKind;
  readonly codes: readonly Coded[];
  /** Whether there are no others. */
  readonly isWhole: boolean;
}

interface CodePage {
  readonly edges: readonly { readonly node: Coded }[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** The codes that numbers are printed with. */
export type Catalog = Readonly<Record<CodeKind, CodeList>>;

/** A choice of more is made by typing. */
const CODES_MAX = 100;

/** The codes that the caller can choose from. */
export function useCatalog(): Answer<Catalog> {
  return useAnswer(shared, []);
}

/** Reads codes that begin with a text, in any case; the newest, if there are too many. */
export async function readCodes(client: GatewayClient, kind: CodeKind, codeStart: string): Promise<CodeList> {
  const found: CodePage = await client[kind]({ first: CODES_MAX, codeStart });
  const codes = found.edges
    .map(({ node }) => node)
    .toSorted((one, other) => one.code.localeCompare(other.code));
  return { kind, codes, isWhole: !found.pageInfo.hasNextPage };
}

/** The read in progress, shared: parts of a page ask at the same time, and a browser has only six connections. */
let reading: { readonly client: GatewayClient; readonly catalog: Promise<Catalog> } | undefined;

function shared(client: GatewayClient): Promise<Catalog> {
  if (reading?.client === client) return reading.catalog;
  const catalog = readCatalog(client);
  reading = { client, catalog };
  const forget = (): void => {
    if (reading?.catalog === catalog) reading = undefined;
  };
  catalog.then(forget, forget);
  return catalog;
}

async function readCatalog(client: GatewayClient): Promise<Catalog> {
  const lists = await Promise.all(
    KINDS.map(async (kind) => [kind, await readCodes(client, kind, '')] as const),
  );
  return Object.fromEntries(lists) as Catalog;
}
