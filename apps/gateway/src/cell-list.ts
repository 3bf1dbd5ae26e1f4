import { z } from 'zod';

/*
 * DATABASE_URL for data on several PostgreSQL: a list in JSON in place of one URL. docs/scaling.md explains it; every gateway
 * of a fleet has the same.
 */

const NODE_MAX = 1_023;

const cellSchema = z.strictObject({
  /** Never changes: reservation tokens and rows of projects name it. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,19}$/, { error: 'must be a to z, 0 to 9 and "-", at most 20' }),
  url: z.string().regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgres:// or postgresql://' }),
  /** First and last node ID of the IDs that are made for it. */
  nodes: z.tuple([z.int().min(0).max(NODE_MAX), z.int().min(0).max(NODE_MAX)]),
});

const listSchema = z
  .strictObject({
    /** The first one has what is named nowhere else. */
    cells: z.array(cellSchema).min(1).max(64),
    /** Code of a project that is created from now on, and its cell. */
    projects: z.record(z.string(), z.string()).default({}),
    /** Region of trips that are asked for from now on, and its cell. */
    regions: z.record(z.string(), z.string()).default({}),
  })
  .superRefine((list, context) => {
    for (const message of faultsOf(list)) context.addIssue({ code: 'custom', message });
  });

/** One PostgreSQL, and the nodes of the IDs that are made for it. */
export type CellPlace = z.infer<typeof cellSchema>;

/** All of them, and what is placed where. */
export interface CellList {
  readonly cells: readonly [CellPlace, ...CellPlace[]];
  readonly projects: Readonly<Record<string, string>>;
  readonly regions: Readonly<Record<string, string>>;
}

/** @returns the list, or what is wrong with it; no message repeats a URL, which holds a password */
export function readCellList(text: string): CellList | { readonly faults: readonly string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { faults: ['must be JSON, as it begins with "{"'] };
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
  const faults = names.size < cells.length ? ['cells must have different names'] : [];
  const byFirst = cells.toSorted((one, other) => one.nodes[0] - other.nodes[0]);
  for (const [index, { name, nodes }] of byFirst.entries()) {
    if (nodes[1] < nodes[0]) faults.push(`cell ${name} has no node: the last is below the first`);
    const next = byFirst[index + 1];
    if (next !== undefined && next.nodes[0] <= nodes[1]) {
      faults.push(`cells ${name} and ${next.name} share nodes: an ID would name both`);
    }
  }
  for (const [what, places] of Object.entries({ projects, regions })) {
    for (const [key, name] of Object.entries(places)) {
      if (!names.has(name)) faults.push(`${what}.${key} names the cell ${name}, which is not in the list`);
    }
  }
  return faults;
}
