import type { Numbering } from '@solegate/doc-numbering';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../graphql/request-context.js';
import type { MasterData } from '../master-data/master-data.js';
import { Project } from '../master-data/project.js';
import { checkProject, projectOf, projectOfList } from '../master-data/project-access.js';
import { DocumentNumberFormat, DocumentNumberPreview } from './document-number-format.type.js';
import { DocumentSeriesInput } from './document-series.input.js';
import { SaveDocumentNumberFormatInput } from './format.inputs.js';
import { DIMENSIONS, seriesAddressOf } from './series-address.js';

const TIME_ZONE = 'Asia/Bangkok';

@Resolver(() => DocumentNumberFormat)
export class FormatResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly mint: () => bigint,
  ) {}

  @Query(() => [DocumentNumberFormat], { description: 'All versions, newest first within a type.' })
  async documentNumberFormats(
    @Ctx() { identity }: RequestContext,
    @Arg('projectId', () => TsidScalar, {
      description: 'Of one project. Default: all that the caller may see.',
      nullable: true,
    })
    projectId?: bigint,
  ): Promise<DocumentNumberFormat[]> {
    if (typeof projectId === 'bigint') await checkProject(projectId, this.data, identity);
    const own =
      typeof projectId === 'bigint' ? { id: projectId } : await projectOfList(null, this.data, identity);
    const formats = await this.numbering.listFormats(own === undefined ? {} : { space: String(own.id) });
    return formats.map((format) => new DocumentNumberFormat(format));
  }

  @Query(() => DocumentNumberPreview, { description: 'The next number of a series, without taking it.' })
  async documentNumberPreview(
    @Arg('input', () => DocumentSeriesInput, { description: 'Which series.' }) input: DocumentSeriesInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberPreview> {
    return this.numbering.preview(await seriesAddressOf(input, this.data, identity));
  }

  @Mutation(() => DocumentNumberFormat, {
    description:
      'Checks a template and saves it; a template under which two counters could print the same is refused.',
  })
  async saveDocumentNumberFormat(
    @Arg('input', () => SaveDocumentNumberFormatInput, { description: 'Which series, and the template.' })
    input: SaveDocumentNumberFormatInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberFormat> {
    const [project, type] = await Promise.all([
      projectOf(input.projectCode, this.data, identity),
      this.data.types.get(input.typeCode),
    ]);
    const address = { space: String(project.id), series: type.code, actor: String(identity.subjectId) };
    await this.#defineSeries(address, input);
    const format = await this.numbering.saveFormat({
      ...address,
      id: this.mint(),
      template: input.template,
      overflow: input.overflow,
      ...(input.validFrom && { validFrom: input.validFrom }),
    });
    return new DocumentNumberFormat(format);
  }

  @FieldResolver(() => Project, { description: 'The project that it belongs to.', nullable: true })
  async project(
    @Root() { projectId }: DocumentNumberFormat,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.data.loaders(context).projects.load(projectId);
  }

  /** A series with rules of its own keeps them while the input says nothing about rules. */
  async #defineSeries(
    address: { readonly space: string; readonly series: string; readonly actor: string },
    { rules }: SaveDocumentNumberFormatInput,
  ): Promise<void> {
    const existing = await this.numbering.listSeries({ space: address.space });
    if (rules === undefined && existing.some(({ series }) => series === address.series)) return;
    const { closedUntil, openUntil, ...fixed } = rules ?? { timeZone: TIME_ZONE };
    await this.numbering.defineSeries({
      ...address,
      ...fixed,
      id: this.mint(),
      dimensions: DIMENSIONS,
      ...(closedUntil && { closedUntil }),
      ...(openUntil && { openUntil }),
    });
  }
}
