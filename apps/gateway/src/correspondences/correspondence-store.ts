import DataLoader from 'dataloader';
import { type FindOptionsWhere, In, LessThan, type Repository } from 'typeorm';
import type { Cells } from '../cells/cells.js';
import { given } from '../graphql/given.js';
import { PerRequest, type RequestContext } from '../graphql/request-context.js';
import type { MasterData } from '../master-data/master-data.js';
import { projectNeeded } from '../master-data/project-access.js';
import { Correspondence } from './correspondence.js';

/** Reads correspondences. Only the number writer writes them. */
export class CorrespondenceStore {
  readonly #loaders = new PerRequest(() => new DataLoader((ids: readonly bigint[]) => this.findByIds(ids)));

  constructor(
    private readonly cells: Cells,
    private readonly data: MasterData,
  ) {}

  /** Finds one row, with one query for all IDs of a request. */
  async load(id: bigint, context: RequestContext): Promise<Correspondence | undefined> {
    return this.#loaders.of(context).load(id);
  }

  async findByNumber(projectId: bigint, documentNumber: string): Promise<Correspondence | undefined> {
    const repository = await this.#of(projectId);
    return (await repository.findOneBy({ projectId, documentNumber })) ?? undefined;
  }

  /** Returns rows in the order of the IDs; undefined where there is none. */
  async findByIds(ids: readonly bigint[]): Promise<(Correspondence | undefined)[]> {
    return this.cells.findEach(ids, async ({ database }, own) => {
      const rows = await database.dataSource.getRepository(Correspondence).findBy({ id: In([...own]) });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return own.map((id) => byId.get(id));
    });
  }

  /** Returns rows newest first; one more than requested shows whether there is a next page. */
  async list(
    filter: { readonly projectId: bigint | undefined; readonly typeId: bigint | undefined },
    page: { readonly first: number; readonly after: bigint | undefined },
  ): Promise<Correspondence[]> {
    const where: FindOptionsWhere<Correspondence> = {
      ...given(filter),
      ...(page.after !== undefined && { id: LessThan(page.after) }),
    };
    const repository = await this.#of(filter.projectId);
    return repository.find({ where, order: { id: 'DESC' }, take: page.first + 1 });
  }

  /** @throws {GatewayError} PROJECT_NEEDED: the pages of a list come from one cell */
  async #of(projectId: bigint | undefined): Promise<Repository<Correspondence>> {
    if (projectId === undefined && !this.cells.isOne) throw projectNeeded();
    const cell = projectId === undefined ? this.cells.first : await this.data.cellOf(String(projectId));
    return cell.running.database.dataSource.getRepository(Correspondence);
  }
}
