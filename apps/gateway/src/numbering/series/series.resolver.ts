import type { Numbering } from '@solegate/doc-numbering';
import { Args, Ctx, Resolver } from 'type-graphql';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { Arg, Query } from '../../graphql/described.js';
import { given } from '../../graphql/given.js';
import { PageArgs, pageOfList } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import { SoleMutation } from '../../graphql/results.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOfList } from '../../master-data/project-access.js';
import { defineProject } from '../../master-data/resolver-methods.js';
import { DocumentTypeInput } from './document-series.input.js';
import {
  BlockDocumentSeriesInput,
  DefineDocumentSeriesInput,
  DocumentSeries,
} from './document-series.type.js';
import { definitionOf, dimensionsOf, findSeries, seriesReferenceOf } from './series-definition.js';

const SeriesConnection = connectionType('DocumentSeries', DocumentSeries);
@Resolver(() => DocumentSeries)
export class SeriesResolver {
  constructor(
    private readonly numbering: Numbering,
    readonly data: MasterData,
  ) {}

  @Query(() => SeriesConnection, 'Lists the series of a project, one for each numbered document type.')
  async documentSeries(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg(
      'projectCode',
      () => String,
      'Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases.',
      { nullable: true },
    )
    projectCode?: string,
  ): Promise<Connection<DocumentSeries>> {
    const project = await projectOfList(projectCode, this.data, identity);
    const series = await this.numbering.listSeries(project ? { space: String(project.id) } : {});
    return pageOfList(series, page);
  }

  @SoleMutation(
    () => DocumentSeries,
    'Defines how a document type is numbered. Rules that determine its counters are fixed once a number has been ' +
      'issued (SERIES_IN_USE); date order, open dates, `endAt` and `authorityCode` can change.',
    'The series as it is now.',
  )
  async defineDocumentSeries(
    @Arg('input', () => DefineDocumentSeriesInput, 'The series and its rules.')
    input: DefineDocumentSeriesInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentSeries> {
    const reference = await seriesReferenceOf(input, this.data, identity);
    const { closedUntil, openUntil, dimensions, ...rules } = input.rules;
    const { startAt, endAt, manualInterval, authorityCode } = input;
    // Only unblockDocumentSeries lifts a block.
    const stored = await findSeries(this.numbering, reference);
    const expectedRevision = input.expectedRevision ?? stored?.revision;
    return this.numbering.defineSeries({
      ...reference,
      ...rules,
      dimensions: dimensionsOf(dimensions, stored),
      ...given({ closedUntil, openUntil, startAt, endAt, authorityCode, expectedRevision }),
      ...given({ blocked: stored?.blocked, manualInterval: manualInterval && { ...manualInterval } }),
      ...this.data.mintRowId(reference.space),
    });
  }

  @SoleMutation(
    () => DocumentSeries,
    'Blocks a series: requests for its numbers get SeriesBlocked with the reason.',
    'The blocked series.',
  )
  async blockDocumentSeries(
    @Arg('input', () => BlockDocumentSeriesInput, 'The series, and the reason.')
    input: BlockDocumentSeriesInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentSeries> {
    const reference = await seriesReferenceOf(input, this.data, identity);
    const rules = await definitionOf(this.numbering, reference);
    return this.numbering.defineSeries({ ...rules, blocked: input.reason });
  }

  @SoleMutation(
    () => DocumentSeries,
    'Unblocks a series; its counters continue where they stopped.',
    'The unblocked series.',
  )
  async unblockDocumentSeries(
    @Arg('input', () => DocumentTypeInput, 'The series.') input: DocumentTypeInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentSeries> {
    const reference = await seriesReferenceOf(input, this.data, identity);
    const { blocked: _blocked, ...rules } = await definitionOf(this.numbering, reference);
    return this.numbering.defineSeries(rules);
  }
}

defineProject(SeriesResolver.prototype, ({ space }: DocumentSeries) => space);
