import type { Numbering } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO, GraphQLSafeInt } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, Float, Query, Resolver, Root } from 'type-graphql';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { PageArgs, pageOf, readPage } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { MasterData } from '../../master-data/master-data.js';
import { Project } from '../../master-data/project.js';
import { projectOfList } from '../../master-data/project-access.js';
import { codesOf } from '../series/document-code.js';
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

  @Query(() => CounterConnection, {
    description: 'Lists counters with their last numbers and how full their formats are.',
  })
  async documentNumberCounters(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => DocumentNumberCounterFilter, {
      description: 'Which counters to list. Default: all.',
      nullable: true,
    })
    filter?: DocumentNumberCounterFilter,
  ): Promise<Connection<DocumentNumberCounter>> {
    const request = readPage(page);
    const project = await projectOfList(filter?.projectCode, this.data, identity);
    const found = await this.numbering.listCounters(
      {
        ...(project && { space: String(project.id) }),
        ...(typeof filter?.typeCode === 'string' && { series: filter.typeCode }),
        ...(typeof filter?.period === 'string' && { period: filter.period }),
      },
      request,
    );
    return pageOf(found, page, (counter) => ({ ...counter, ...codesOf(counter) }));
  }

  @FieldResolver(() => GraphQLSafeInt, {
    nullable: true,
    description:
      'Last number that can be issued, limited by the current format, `endAt` and the manual interval of the series. ' +
      'Null while unknown, such as before the first number.',
  })
  limit(@Root() counter: DocumentNumberCounter, @Ctx() context: RequestContext): Promise<number | undefined> {
    return this.outlook.limitOf(counter, context);
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description:
      'Average numbers per day since the first number; the first day counts in full. Null before the first number.',
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
      'Estimate, based on `perDay`, of when `limit` will be reached. Null if unknown, and if the period ends ' +
      'before that.',
  })
  fullOn(@Root() counter: DocumentNumberCounter, @Ctx() context: RequestContext): Promise<Date | undefined> {
    return this.outlook.fullOnOf(counter, context);
  }

  @FieldResolver(() => Project, { description: 'The project it belongs to.', nullable: true })
  async project(
    @Root() { space }: DocumentNumberCounter,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.data.loaders(context).projects.load(BigInt(space));
  }
}
