import type { Numbering } from '@solegate/doc-numbering';
import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../graphql/request-context.js';
import type { MasterData } from '../../master-data/master-data.js';
import { Project } from '../../master-data/project.js';
import { projectOfList } from '../../master-data/project-access.js';
import {
  BlockDocumentSeriesInput,
  DefineDocumentSeriesInput,
  DocumentSeries,
  DocumentTypeInput,
  NumberArchive,
} from './document-series.type.js';
import { DIMENSIONS, definitionOf, findSeries, seriesReferenceOf } from './series-definition.js';

const ARCHIVE_MAX_MS = 600_000;

@Resolver(() => DocumentSeries)
export class SeriesResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly mint: (space: string) => bigint,
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
    const reference = await seriesReferenceOf(input, this.data, identity);
    const { closedUntil, openUntil, ...rules } = input.rules;
    const { startAt, endAt, manualInterval, authorityCode } = input;
    // A block is lifted by unblockDocumentSeries alone.
    const { blocked, revision } = (await findSeries(this.numbering, reference)) ?? {};
    const expectedRevision = input.expectedRevision ?? revision;
    return new DocumentSeries(
      await this.numbering.defineSeries({
        ...reference,
        ...rules,
        dimensions: DIMENSIONS,
        ...(typeof closedUntil === 'string' && { closedUntil }),
        ...(typeof openUntil === 'string' && { openUntil }),
        ...(typeof startAt === 'number' && { startAt }),
        ...(typeof endAt === 'number' && { endAt }),
        ...(manualInterval && { manualInterval: { first: manualInterval.first, last: manualInterval.last } }),
        ...(typeof authorityCode === 'string' && { authorityCode }),
        ...(blocked !== undefined && { blocked }),
        ...(expectedRevision !== undefined && { expectedRevision }),
        id: this.mint(reference.space),
      }),
    );
  }

  @Mutation(() => DocumentSeries, {
    description: 'Stops a series: whoever asks it for a number gets SeriesBlocked with the reason.',
  })
  async blockDocumentSeries(
    @Arg('input', () => BlockDocumentSeriesInput, { description: 'Which series, and why.' })
    input: BlockDocumentSeriesInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentSeries> {
    const reference = await seriesReferenceOf(input, this.data, identity);
    const rules = await definitionOf(this.numbering, reference);
    return new DocumentSeries(await this.numbering.defineSeries({ ...rules, blocked: input.reason }));
  }

  @Mutation(() => DocumentSeries, {
    description: 'Opens a series that was blocked; its counters go on where they stood.',
  })
  async unblockDocumentSeries(
    @Arg('input', () => DocumentTypeInput, { description: 'Which series.' })
    input: DocumentTypeInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentSeries> {
    const reference = await seriesReferenceOf(input, this.data, identity);
    const { blocked: _blocked, ...rules } = await definitionOf(this.numbering, reference);
    return new DocumentSeries(await this.numbering.defineSeries(rules));
  }

  @Mutation(() => NumberArchive, {
    description:
      'Moves the ledger of periods that end by closedUntil to the archive. Look-ups and lists know these numbers as before; they can no longer be voided, and closedUntil cannot go back. Repeating it does nothing.',
  })
  async archiveDocumentNumbers(
    @Arg('input', () => DocumentTypeInput, { description: 'Which series.' })
    input: DocumentTypeInput,
    @Ctx() context: RequestContext,
  ): Promise<NumberArchive> {
    const reference = await seriesReferenceOf(input, this.data, context.identity);
    return this.numbering.archive({ ...reference, timeoutMs: context.timeoutMs(ARCHIVE_MAX_MS) });
  }

  @FieldResolver(() => Project, { nullable: true, description: 'The project that it belongs to.' })
  async project(
    @Root() { projectId }: DocumentSeries,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.data.loaders(context).projects.load(projectId);
  }
}
