import type { Numbering } from '@solegate/doc-numbering';
import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../graphql/request-context.js';
import type { MasterData } from '../master-data/master-data.js';
import { Project } from '../master-data/project.js';
import { projectOf, projectOfList } from '../master-data/project-access.js';
import { DefineDocumentSeriesInput, DocumentSeries } from './document-series.type.js';
import { DIMENSIONS } from './series-address.js';

@Resolver(() => DocumentSeries)
export class SeriesResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly mint: () => bigint,
  ) {}

  @Query(() => [DocumentSeries], { description: 'The series of a project, one for each numbered type.' })
  async documentSeries(
    @Ctx() { identity }: RequestContext,
    @Arg('projectCode', () => String, {
      nullable: true,
      description: 'Default: every project that the caller may see.',
    })
    projectCode?: string,
  ): Promise<DocumentSeries[]> {
    const project = await projectOfList(projectCode, this.data, identity);
    const series = await this.numbering.listSeries(project ? { space: String(project.id) } : {});
    return series.map((one) => new DocumentSeries(one));
  }

  @Mutation(() => DocumentSeries, {
    description:
      'Defines how a document type is numbered. What decides a counter is fixed once there is a format; date order ' +
      'and open dates can change.',
  })
  async defineDocumentSeries(
    @Arg('input', () => DefineDocumentSeriesInput, { description: 'Which series, and its rules.' })
    input: DefineDocumentSeriesInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentSeries> {
    const [project, type] = await Promise.all([
      projectOf(input.projectCode, this.data, identity),
      this.data.types.get(input.typeCode),
    ]);
    const { closedUntil, openUntil, ...rules } = input.rules;
    const { startAt, manualInterval } = input;
    return new DocumentSeries(
      await this.numbering.defineSeries({
        space: String(project.id),
        series: type.code,
        dimensions: DIMENSIONS,
        ...rules,
        ...(typeof closedUntil === 'string' && { closedUntil }),
        ...(typeof openUntil === 'string' && { openUntil }),
        ...(typeof startAt === 'number' && { startAt }),
        ...(manualInterval && { manualInterval: { first: manualInterval.first, last: manualInterval.last } }),
        id: this.mint(),
        actor: String(identity.subjectId),
      }),
    );
  }

  @FieldResolver(() => Project, { nullable: true, description: 'The project that it belongs to.' })
  async project(
    @Root() { projectId }: DocumentSeries,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.data.loaders(context).projects.load(projectId);
  }
}
