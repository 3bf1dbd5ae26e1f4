import type { Numbering } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO, GraphQLSafeInt } from 'graphql-scalars';
import { Args, Ctx, Float, Resolver, Root } from 'type-graphql';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { Arg, FieldResolver, Query } from '../../graphql/described.js';
import { given } from '../../graphql/given.js';
import { PageArgs, pageOf, readPage } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOfList } from '../../master-data/project-access.js';
import { defineProject } from '../../master-data/resolver-methods.js';
import { codesOf } from '../series/document-series.input.js';
import type { CounterOutlook } from './counter-outlook.js';
import { DocumentNumberCounter, DocumentNumberCounterFilter } from './document-number-counter.type.js';

const CounterConnection = connectionType('DocumentNumberCounter', DocumentNumberCounter);

@Resolver(() => DocumentNumberCounter)
export class CounterResolver {
  constructor(
    private readonly numbering: Numbering,
    readonly data: MasterData,
    private readonly outlook: CounterOutlook,
  ) {}

  @Query(() => CounterConnection, 'Lists counters with their last numbers and how full their formats are.')
  async documentNumberCounters(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => DocumentNumberCounterFilter, 'Which counters to list. Default: all.', {
      nullable: true,
    })
    filter?: DocumentNumberCounterFilter,
  ): Promise<Connection<DocumentNumberCounter>> {
    const request = readPage(page);
    const project = await projectOfList(filter?.projectCode, this.data, identity);
    const found = await this.numbering.listCounters(
      given({ space: project && String(project.id), series: filter?.typeCode, period: filter?.period }),
      request,
    );
    return pageOf(found, page, (counter) => ({ ...counter, ...codesOf(counter) }));
  }

  @FieldResolver(
    () => GraphQLSafeInt,
    'Last number that can be issued, limited by the current format, `endAt` and the manual interval of the series. ' +
      'Null while unknown, such as before the first number.',
    { nullable: true },
  )
  limit(@Root() counter: DocumentNumberCounter, @Ctx() context: RequestContext): Promise<number | undefined> {
    return this.outlook.limitOf(counter, context);
  }

  @FieldResolver(
    () => Float,
    'Average numbers per day since the first number; the first day counts in full. Null before the first number.',
    { nullable: true },
  )
  perDay(
    @Root() counter: DocumentNumberCounter,
    @Ctx() context: RequestContext,
  ): Promise<number | undefined> {
    return this.outlook.perDayOf(counter, context);
  }

  @FieldResolver(
    () => GraphQLDateTimeISO,
    'Estimate, based on `perDay`, of when `limit` will be reached. Null if unknown, and if the period ends ' +
      'before that.',
    { nullable: true },
  )
  fullOn(@Root() counter: DocumentNumberCounter, @Ctx() context: RequestContext): Promise<Date | undefined> {
    return this.outlook.fullOnOf(counter, context);
  }
}

defineProject(CounterResolver.prototype, ({ space }: DocumentNumberCounter) => space);
