import type { Numbering } from '@solegate/doc-numbering';
import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { soleResult } from '../../graphql/mutation-result.js';
import { PageArgs, pageOfList } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { MasterData, MintRowId } from '../../master-data/master-data.js';
import { Project } from '../../master-data/project.js';
import { projectOfList } from '../../master-data/project-access.js';
import {
  BlockDocumentSeriesInput,
  DefineDocumentSeriesInput,
  DocumentSeries,
  DocumentTypeInput,
} from './document-series.type.js';
import { definitionOf, dimensionsOf, findSeries, seriesReferenceOf } from './series-definition.js';

const SeriesConnection = connectionType('DocumentSeries', DocumentSeries);
const DefineDocumentSeriesResult = soleResult(
  'DefineDocumentSeriesResult',
  'The series as it is now.',
  DocumentSeries,
);
const BlockDocumentSeriesResult = soleResult(
  'BlockDocumentSeriesResult',
  'The blocked series.',
  DocumentSeries,
);
const UnblockDocumentSeriesResult = soleResult(
  'UnblockDocumentSeriesResult',
  'The unblocked series.',
  DocumentSeries,
);

@Resolver(() => DocumentSeries)
export class SeriesResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly rowId: MintRowId,
  ) {}

  @Query(() => SeriesConnection, {
    description: 'Lists the series of a project, one for each numbered document type.',
  })
  async documentSeries(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('projectCode', () => String, {
      nullable: true,
      description:
        'Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases.',
    })
    projectCode?: string,
  ): Promise<Connection<DocumentSeries>> {
    const project = await projectOfList(projectCode, this.data, identity);
    const series = await this.numbering.listSeries(project ? { space: String(project.id) } : {});
    return pageOfList(series, page);
  }

  @Mutation(() => DefineDocumentSeriesResult, {
    description:
      'Defines how a document type is numbered. Rules that determine its counters are fixed once a number has been ' +
      'issued (SERIES_IN_USE); date order, open dates, `endAt` and `authorityCode` can change.',
  })
  async defineDocumentSeries(
    @Arg('input', () => DefineDocumentSeriesInput, { description: 'The series and its rules.' })
    input: DefineDocumentSeriesInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentSeries> {
    const reference = await seriesReferenceOf(input, this.data, identity);
    const { closedUntil, openUntil, dimensions, ...rules } = input.rules;
    const { startAt, endAt, manualInterval, authorityCode } = input;
    // Only unblockDocumentSeries lifts a block.
    const stored = await findSeries(this.numbering, reference);
    const { blocked, revision } = stored ?? {};
    const expectedRevision = input.expectedRevision ?? revision;
    return this.numbering.defineSeries({
      ...reference,
      ...rules,
      dimensions: dimensionsOf(dimensions, stored),
      ...(typeof closedUntil === 'string' && { closedUntil }),
      ...(typeof openUntil === 'string' && { openUntil }),
      ...(typeof startAt === 'number' && { startAt }),
      ...(typeof endAt === 'number' && { endAt }),
      ...(manualInterval && { manualInterval: { first: manualInterval.first, last: manualInterval.last } }),
      ...(typeof authorityCode === 'string' && { authorityCode }),
      ...(blocked !== undefined && { blocked }),
      ...(expectedRevision !== undefined && { expectedRevision }),
      ...this.rowId(reference.space),
    });
  }

  @Mutation(() => BlockDocumentSeriesResult, {
    description: 'Blocks a series: requests for its numbers get SeriesBlocked with the reason.',
  })
  async blockDocumentSeries(
    @Arg('input', () => BlockDocumentSeriesInput, { description: 'The series, and the reason.' })
    input: BlockDocumentSeriesInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentSeries> {
    const reference = await seriesReferenceOf(input, this.data, identity);
    const rules = await definitionOf(this.numbering, reference);
    return this.numbering.defineSeries({ ...rules, blocked: input.reason });
  }

  @Mutation(() => UnblockDocumentSeriesResult, {
    description: 'Unblocks a series; its counters continue where they stopped.',
  })
  async unblockDocumentSeries(
    @Arg('input', () => DocumentTypeInput, { description: 'The series.' })
    input: DocumentTypeInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentSeries> {
    const reference = await seriesReferenceOf(input, this.data, identity);
    const { blocked: _blocked, ...rules } = await definitionOf(this.numbering, reference);
    return this.numbering.defineSeries(rules);
  }

  @FieldResolver(() => Project, { nullable: true, description: 'The project it belongs to.' })
  async project(
    @Root() { space }: DocumentSeries,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.data.loaders(context).projects.load(BigInt(space));
  }
}
