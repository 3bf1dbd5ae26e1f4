import { z } from 'zod';

/*
 * DATABASE_URL for data spread over several PostgreSQL databases: a JSON list instead of a single URL. All gateways of
 * a fleet use the same list. See docs/scaling.md.
 */

const NODE_MAX = 1_023;

const cellSchema = z.strictObject({
  /** Must never change: reservation tokens and project rows refer to it. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,19}$/, { error: 'must be a to z, 0 to 9 and "-", at most 20' }),
  url: z.string().regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgres:// or postgresql://' }),
  /** First and last node ID of the IDs minted for this cell. */
  nodes: z.tuple([z.int().min(0).max(NODE_MAX), z.int().min(0).max(NODE_MAX)]),
});

/** A map, because an object also has the names that it inherits, such as `constructor`. */
const placesSchema = z
  .record(z.string(), z.string())
  .default({})
  .transform((places): ReadonlyMap<string, string> => new Map(Object.entries(places)));

const listSchema = z
  .strictObject({
    /** The first cell holds everything that is not placed elsewhere. */
    cells: z.array(cellSchema).min(1).max(64),
    /** Project code to cell, for projects created from now on. */
    projects: placesSchema,
    /** Region to cell, for trips requested from now on. */
    regions: placesSchema,
  })
  .superRefine((list, context) => {
    for (const message of faultsOf(list)) context.addIssue({ code: 'custom', message });
  });

/** One PostgreSQL database and the node range of the IDs minted for it. */
export type CellPlace = z.infer<typeof cellSchema>;

/** All cells, with the placement of projects and regions. */
export interface CellList {
  readonly cells: readonly [CellPlace, ...CellPlace[]];
  readonly projects: ReadonlyMap<string, string>;
  readonly regions: ReadonlyMap<string, string>;
}

/** Parses the list. @returns the list, or its faults; no message repeats a URL, because URLs contain passwords */
export function readCellList(text: string): CellList | { readonly faults: readonly string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { faults: ['must be valid JSON because it begins with "{"'] };
  }
  const { data, error } = listSchema.safeParse(json);
  if (data !== undefined) return data as CellList & typeof data;
  return {
    faults: (error?.issues ?? []).map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')} ${message}`,
    ),
  };
}

function faultsOf({ cells, projects, regions }: z.infer<typeof listSchema>): string[] {
  const names = new Set(cells.map(({ name }) => name));
  const faults = names.size < cells.length ? ['cell names must be unique'] : [];
  const byFirst = cells.toSorted((one, other) => one.nodes[0] - other.nodes[0]);
  for (const [index, { name, nodes }] of byFirst.entries()) {
    if (nodes[1] < nodes[0]) faults.push(`cell ${name} has no nodes: its last node is below its first`);
    const next = byFirst[index + 1];
    if (next !== undefined && next.nodes[0] <= nodes[1]) {
      faults.push(`cells ${name} and ${next.name} share nodes: an ID would belong to both`);
    }
  }
  for (const [what, places] of Object.entries({ projects, regions })) {
    for (const [key, name] of places) {
      if (what === 'regions' && names.has(key) && key !== name)
        faults.push(`regions.${key} has the name of another cell, whose trips it would hide`);
      if (!names.has(name)) faults.push(`${what}.${key} refers to cell ${name}, which is not in the list`);
    }
  }
  return faults;
}
