import type { Numbering } from '@solegate/doc-numbering';
import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { type Connection, connectionType } from '../graphql/connection.type.js';
import { connectionOf, PageArgs, readCursor, readPageSize } from '../graphql/page.args.js';
import { RequestContext } from '../graphql/request-context.js';
import type { MasterData } from '../master-data/master-data.js';
import { Project } from '../master-data/project.js';
import { projectOfList } from '../master-data/project-access.js';
import { DocumentNumberCounter } from './document-number-counter.type.js';
import { DocumentNumberCounterFilter } from './ledger.inputs.js';

const CounterConnection = connectionType('DocumentNumberCounter', DocumentNumberCounter);

@Resolver(() => DocumentNumberCounter)
export class CounterResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
  ) {}

  @Query(() => CounterConnection, { description: 'Where the counters stand and how full their formats are.' })
  async documentNumberCounters(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => DocumentNumberCounterFilter, { description: 'Which counters.', nullable: true })
    filter?: DocumentNumberCounterFilter,
  ): Promise<Connection<DocumentNumberCounter>> {
    const first = readPageSize(page);
    const after = readCursor(page);
    const project = await projectOfList(filter?.projectCode, this.data, identity);
    const found = await this.numbering.listCounters(
      {
        ...(project && { space: String(project.id) }),
        ...(typeof filter?.typeCode === 'string' && { series: filter.typeCode }),
        ...(typeof filter?.period === 'string' && { period: filter.period }),
      },
      { first, ...(after !== undefined && { after }) },
    );
    const edges = found.items.map(({ item, cursor }) => ({ node: new DocumentNumberCounter(item), cursor }));
    return connectionOf(edges, page, found.hasNextPage);
  }

  @FieldResolver(() => Project, { description: 'The project that it belongs to.', nullable: true })
  async project(
    @Root() { projectId }: DocumentNumberCounter,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.data.loaders(context).projects.load(projectId);
  }
}
