import type { Numbering } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO, GraphQLSafeInt } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, Float, Query, Resolver, Root } from 'type-graphql';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { connectionOf, PageArgs, readCursor, readPageSize } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { MasterData } from '../../master-data/master-data.js';
import { Project } from '../../master-data/project.js';
import { projectOfList } from '../../master-data/project-access.js';
import type { CounterOutlook } from './counter-outlook.js';
import { DocumentNumberCounter, DocumentNumberCounterFilter } from './document-number-counter.type.js';

const CounterConnection = connectionType('DocumentNumberCounter', DocumentNumberCounter);

@Resolver(() => DocumentNumberCounter)
export class CounterResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly outlook: CounterOutlook,
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

  @FieldResolver(() => GraphQLSafeInt, {
    nullable: true,
    description:
      'The last number that may be issued: by the format in use, by endAt and by the manual interval of the series. ' +
      'Null while that is not known, such as before the first number.',
  })
  limit(@Root() counter: DocumentNumberCounter, @Ctx() context: RequestContext): Promise<number | undefined> {
    return this.outlook.limitOf(counter, context);
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description: 'Numbers a day since the first one of the counter, at least a day; null before that.',
  })
  perDay(
    @Root() counter: DocumentNumberCounter,
    @Ctx() context: RequestContext,
  ): Promise<number | undefined> {
    return this.outlook.perDayOf(counter, context);
  }

  @FieldResolver(() => GraphQLDateTimeISO, {
    nullable: true,
    description:
      'When the limit is reached if it goes on like that: an estimate from perDay. Null when it is not known. The ' +
      'period of the counter may end before.',
  })
  fullOn(@Root() counter: DocumentNumberCounter, @Ctx() context: RequestContext): Promise<Date | undefined> {
    return this.outlook.fullOnOf(counter, context);
  }

  @FieldResolver(() => Project, { description: 'The project that it belongs to.', nullable: true })
  async project(
    @Root() { projectId }: DocumentNumberCounter,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.data.loaders(context).projects.load(projectId);
  }
}
