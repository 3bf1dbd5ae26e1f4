import { TsidError } from '@solegate/tsid-core';
import DataLoader from 'dataloader';
import type { Cell } from '../cells/cell.js';
import type { Cells } from '../cells/cells.js';
import { PerRequest } from '../graphql/per-request.js';
import type { RequestContext } from '../graphql/request-context.js';
import { CodedCatalog } from './coded-catalog.js';
import { CorrespondenceType } from './correspondence-type.js';
import { Discipline } from './discipline.js';
import { Organization } from './organization.js';
import { People } from './people.js';
import type { Person } from './person.js';
import { Project } from './project.js';

/** Returns the ID of a new row stored with the numbers of a space, if one can be minted. */
export type MintRowId = (space: string) => { readonly id?: bigint };

/** The master data that the packages need, read by TypeORM. */
export class MasterData {
  readonly projects: CodedCatalog<Project>;
  readonly organizations: CodedCatalog<Organization>;
  readonly types: CodedCatalog<CorrespondenceType>;
  readonly disciplines: CodedCatalog<Discipline>;
  readonly people: People;
  readonly #loaders = new PerRequest(() => new MasterDataLoaders(this));

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

  /** Returns the next ID for a row stored with the numbers of a space, whose project must be cached. */
  mintFor(space: string): bigint {
    return this.cells.named(this.projects.known(BigInt(space))?.cell).running.node.mint();
  }

  /** The ID of a row that has an identity of its own: empty while none can be minted, so that numbers need no node. */
  readonly mintRowId: MintRowId = (space) => {
    try {
      return { id: this.mintFor(space) };
    } catch (error) {
      if (error instanceof TsidError) return {};
      throw error;
    }
  };

  /** Returns the loaders for references that a request follows. */
  loaders(context: RequestContext): MasterDataLoaders {
    return this.#loaders.of(context);
  }
}

const SUBJECT = /^[0-9]{1,19}$/;

type ById<Row> = DataLoader<bigint, Row | undefined>;

/** Loaders of one request: each uses one query for all rows that a page needs. */
class MasterDataLoaders {
  readonly projects: ById<Project>;
  readonly organizations: ById<Organization>;
  readonly types: ById<CorrespondenceType>;
  readonly disciplines: ById<Discipline>;
  readonly people: ById<Person>;

  constructor(data: MasterData) {
    this.projects = new DataLoader((ids) => data.projects.findByIds(ids));
    this.organizations = new DataLoader((ids) => data.organizations.findByIds(ids));
    this.types = new DataLoader((ids) => data.types.findByIds(ids));
    this.disciplines = new DataLoader((ids) => data.disciplines.findByIds(ids));
    this.people = new DataLoader((ids) => data.people.findByIds(ids));
  }

  /** An actor of the ledger is the subject of a token, or an internal name of the gateway, which is not a person. */
  async personOf(actor: string | undefined): Promise<Person | undefined> {
    return actor === undefined || !SUBJECT.test(actor) ? undefined : this.people.load(BigInt(actor));
  }
}
