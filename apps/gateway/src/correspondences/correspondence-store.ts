import DataLoader from 'dataloader';
import { type FindOptionsWhere, In, LessThan, type Repository } from 'typeorm';
import { PerRequest } from '../graphql/per-request.js';
import type { RequestContext } from '../graphql/request-context.js';
import type { Correspondence } from './correspondence.js';

/** Correspondences, read. They are written by the number writer alone. */
export class CorrespondenceStore {
  readonly #loaders = new PerRequest(() => new DataLoader((ids: readonly bigint[]) => this.findByIds(ids)));

  constructor(private readonly repository: Repository<Correspondence>) {}

  async find(id: bigint): Promise<Correspondence | undefined> {
    return (await this.repository.findOneBy({ id })) ?? undefined;
  }

  /** As `find`, but one question for all that a request asks for. */
  async load(id: bigint, context: RequestContext): Promise<Correspondence | undefined> {
    return this.#loaders.of(context).load(id);
  }

  async findByNumber(projectId: bigint, documentNumber: string): Promise<Correspondence | undefined> {
    return (await this.repository.findOneBy({ projectId, documentNumber })) ?? undefined;
  }

  /** In the order of the IDs; undefined where there is none. */
  async findByIds(ids: readonly bigint[]): Promise<(Correspondence | undefined)[]> {
    const rows = await this.repository.findBy({ id: In([...ids]) });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }

  /** Newest first; one row more than asked for shows whether there is a next page. */
  async list(
    filter: { readonly projectId: bigint | undefined; readonly typeId: bigint | undefined },
    page: { readonly first: number; readonly after: bigint | undefined },
  ): Promise<Correspondence[]> {
    const where: FindOptionsWhere<Correspondence> = {
      ...(filter.projectId !== undefined && { projectId: filter.projectId }),
      ...(filter.typeId !== undefined && { typeId: filter.typeId }),
      ...(page.after !== undefined && { id: LessThan(page.after) }),
    };
    return this.repository.find({ where, order: { id: 'DESC' }, take: page.first + 1 });
  }
}
