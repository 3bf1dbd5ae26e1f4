import type { GatewayClient } from '../session/gateway-client.js';
import { type Answer, useAnswer } from '../session/use-answer.js';

export interface Coded {
  readonly code: string;
  readonly name: string;
}

/** The codes that numbers are printed with, in alphabetical order. */
export interface Catalog {
  readonly projects: readonly Coded[];
  readonly organizations: readonly Coded[];
  readonly types: readonly Coded[];
  readonly disciplines: readonly Coded[];
}

/** Master data is small; one page of 100 holds all choices. */
const FIRST = { first: 100 };

/** The codes that the caller can choose from. */
export function useCatalog(): Answer<Catalog> {
  return useAnswer(shared, []);
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
  const [projects, organizations, types, disciplines] = await Promise.all([
    client.projects(FIRST),
    client.organizations(FIRST),
    client.correspondenceTypes(FIRST),
    client.disciplines(FIRST),
  ]);
  return {
    projects: codesOf(projects),
    organizations: codesOf(organizations),
    types: codesOf(types),
    disciplines: codesOf(disciplines),
  };
}

function codesOf(connection: { readonly edges: readonly { readonly node: Coded }[] }): readonly Coded[] {
  return connection.edges
    .map(({ node }) => node)
    .toSorted((one, other) => one.code.localeCompare(other.code));
}
