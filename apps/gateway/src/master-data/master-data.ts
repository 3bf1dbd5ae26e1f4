import { TsidError } from '@solegate/tsid-core';
import DataLoader from 'dataloader';
import type { Cell, RunningCell } from '../cells/cell.js';
import type { Cells } from '../cells/cells.js';
import { PerRequest, type RequestContext } from '../graphql/request-context.js';
import { CodedCatalog } from './coded-catalog.js';
import { CorrespondenceType, Discipline, Organization, Project } from './coded-row.js';
import { People } from './people.js';

/** The master data that the packages need, read by TypeORM. */
export class MasterData {
  readonly projects: CodedCatalog<Project>;
  readonly organizations: CodedCatalog<Organization>;
  readonly types: CodedCatalog<CorrespondenceType>;
  readonly disciplines: CodedCatalog<Discipline>;
  readonly people: People;
  readonly #loaders = new PerRequest(() => loadersOf(this));

  constructor(
    private readonly cells: Cells,
    mint: () => bigint,
    /** Cells of projects to be created, by project code. Default: the first one. */
    cellOfNew: ReadonlyMap<string, string> = new Map(),
  ) {
    const columnsOf = (code: string) => ({ cell: cellOfNew.get(code) ?? null });
    this.projects = new CodedCatalog(cells, { entity: Project, noun: 'project', mint, columnsOf });
    this.organizations = new CodedCatalog(cells, { entity: Organization, noun: 'organization', mint });
    this.types = new CodedCatalog(cells, { entity: CorrespondenceType, noun: 'correspondence type', mint });
    this.disciplines = new CodedCatalog(cells, { entity: Discipline, noun: 'discipline', mint });
    this.people = new People(cells);
  }

  /** Returns the cell with the numbers of a space. Its project determines it, and it never changes. */
  cellOf(space: string): Cell | Promise<Cell> {
    if (this.cells.isOne) return this.cells.first;
    const project = this.projects.findById(BigInt(space));
    if (project instanceof Promise) return project.then((row) => this.cells.named(row?.cell));
    return this.cells.named(project?.cell);
  }

  /** Finds what is stored with the numbers of spaces, in the order of `wanted`, with one call per cell. */
  async findEach<Wanted extends { readonly space: string }, Row>(
    wanted: readonly Wanted[],
    find: (cell: RunningCell, own: readonly Wanted[]) => Promise<readonly Row[]>,
  ): Promise<Row[]> {
    const cells = await Promise.all(wanted.map(async ({ space }) => this.cellOf(space)));
    const found = await Promise.all(
      [...new Set(cells)].map(async (cell) => {
        const own = wanted.filter((_, index) => cells[index] === cell);
        return [cell, (await find(cell.running, own)).values()] as const;
      }),
    );
    const rows = new Map(found);
    return cells.map((cell) => rows.get(cell)?.next().value as Row);
  }

  /** Returns the next ID for a row stored with the numbers of a space, whose project must be cached. */
  mintFor(space: string): bigint {
    return this.cells.named(this.projects.known(BigInt(space))?.cell).running.node.mint();
  }

  /** The ID of a row that has an identity of its own: empty while none can be minted, so that numbers need no node. */
  mintRowId(space: string): { readonly id?: bigint } {
    try {
      return { id: this.mintFor(space) };
    } catch (error) {
      if (error instanceof TsidError) return {};
      throw error;
    }
  }

  /** Returns the loaders for references that a request follows. */
  loaders(context: RequestContext): Loaders {
    return this.#loaders.of(context);
  }
}

const SUBJECT = /^[0-9]{1,19}$/;

export type Loaders = ReturnType<typeof loadersOf>;

/** Returns the loaders of one request: each uses one query for all rows that a page needs. */
function loadersOf({ projects, organizations, types, disciplines, people }: MasterData) {
  const byId = <Row>(rows: { findByIds(ids: readonly bigint[]): Promise<(Row | undefined)[]> }) =>
    new DataLoader((ids: readonly bigint[]) => rows.findByIds(ids));
  const loaders = {
    projects: byId(projects),
    organizations: byId(organizations),
    types: byId(types),
    disciplines: byId(disciplines),
    people: byId(people),
  };
  return {
    ...loaders,
    /** An actor of the ledger is the subject of a token, or an internal name of the gateway, which is not a person. */
    async personOf(actor: string | undefined) {
      return actor === undefined || !SUBJECT.test(actor) ? undefined : loaders.people.load(BigInt(actor));
    },
  };
}
