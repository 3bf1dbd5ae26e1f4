import {
  AmbiguousFormatError,
  FormatInUseError,
  InvalidFormatError,
  type Numbering,
  UnknownTokenError,
} from '@solegate/doc-numbering';
import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { domainTextOf } from '../../errors/public-error.js';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { memberOf } from '../../graphql/member.js';
import { PageArgs, pageOfList } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { MasterData, MintRowId } from '../../master-data/master-data.js';
import { Project } from '../../master-data/project.js';
import { projectOf, projectOfList } from '../../master-data/project-access.js';
import { DocumentNumberFormat, DocumentNumberPreview } from './document-number-format.type.js';
import { DocumentSeriesInput } from './document-series.input.js';
import {
  CheckDocumentNumberFormatInput,
  DocumentNumberFormatFilter,
  SaveDefaultDocumentNumberFormatInput,
  SaveDocumentNumberFormatInput,
  WithdrawDocumentNumberFormatInput,
} from './format.inputs.js';
import {
  CheckDocumentNumberFormatResult,
  type DefaultDocumentNumberFormatSaved,
  DocumentNumberFormatAmbiguous,
  DocumentNumberFormatInUse,
  DocumentNumberFormatInvalid,
  DocumentNumberFormatValid,
  DocumentNumberFormatWithdrawn,
  SaveDefaultDocumentNumberFormatResult,
  SaveDocumentNumberFormatResult,
  WithdrawDocumentNumberFormatResult,
} from './format-results.type.js';
import { seriesAddressOf } from './series-address.js';
import { dimensionsOf, findSeries, type SeriesReference, seriesReferenceOf } from './series-definition.js';

const TIME_ZONE = 'Asia/Bangkok';
const FormatConnection = connectionType('DocumentNumberFormat', DocumentNumberFormat);

@Resolver(() => DocumentNumberFormat)
export class FormatResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly rowId: MintRowId,
  ) {}

  @Query(() => FormatConnection, {
    description: 'Lists format versions, newest first within each document type.',
  })
  async documentNumberFormats(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => DocumentNumberFormatFilter, {
      description: 'Which formats to list. Default: all.',
      nullable: true,
    })
    filter?: DocumentNumberFormatFilter,
  ): Promise<Connection<DocumentNumberFormat>> {
    const project = await projectOfList(filter?.projectCode, this.data, identity);
    const formats = await this.numbering.listFormats({
      ...(project && { space: String(project.id) }),
      ...(typeof filter?.typeCode === 'string' && { series: filter.typeCode }),
    });
    return pageOfList(formats.toReversed(), page);
  }

  @Query(() => DocumentNumberPreview, {
    description: 'Previews the next number of a series without issuing it.',
  })
  async documentNumberPreview(
    @Arg('input', () => DocumentSeriesInput, { description: 'The series.' }) input: DocumentSeriesInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberPreview> {
    return this.numbering.preview(await seriesAddressOf(input, this.data, identity));
  }

  @Query(() => CheckDocumentNumberFormatResult, {
    description: 'Checks a template against all stored data, as saving it would, but saves nothing.',
  })
  async documentNumberFormatCheck(
    @Arg('input', () => CheckDocumentNumberFormatInput, { description: 'The series and the template.' })
    input: CheckDocumentNumberFormatInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof CheckDocumentNumberFormatResult> {
    const reference = await seriesReferenceOf(input, this.data, identity);
    try {
      const format = await this.numbering.saveFormat({ ...reference, ...formatOf(input), dryRun: true });
      return memberOf(DocumentNumberFormatValid, { version: format.version });
    } catch (error) {
      if (error instanceof AmbiguousFormatError) {
        const { position, example, first, second } = error;
        const message = domainTextOf(error);
        return memberOf(DocumentNumberFormatAmbiguous, { message, position, example, first, second });
      }
      if (error instanceof InvalidFormatError || error instanceof UnknownTokenError) {
        const message = domainTextOf(error);
        return memberOf(DocumentNumberFormatInvalid, { message, position: error.position });
      }
      throw error;
    }
  }

  @Mutation(() => SaveDocumentNumberFormatResult, {
    description:
      'Checks a template and saves it as the next version; refused if two counters could print the same number.',
  })
  async saveDocumentNumberFormat(
    @Arg('input', () => SaveDocumentNumberFormatInput, { description: 'The series and the template.' })
    input: SaveDocumentNumberFormatInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberFormat> {
    const address = await seriesReferenceOf(input, this.data, identity);
    await this.#defineSeries(address, input);
    const format = await this.numbering.saveFormat({
      ...address,
      ...formatOf(input),
      ...(typeof input.description === 'string' && { description: input.description }),
      ...this.rowId(address.space),
    });
    return format;
  }

  @Mutation(() => SaveDefaultDocumentNumberFormatResult, {
    description:
      'Saves a default template for a project: every series without a format gets it as its first version, now or when the series is defined, if it fits.',
  })
  async saveDefaultDocumentNumberFormat(
    @Arg('input', () => SaveDefaultDocumentNumberFormatInput, {
      description: 'The project and the template.',
    })
    input: SaveDefaultDocumentNumberFormatInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DefaultDocumentNumberFormatSaved> {
    const { projectCode, template, overflow } = input;
    const { id } = await projectOf(projectCode, this.data, identity);
    const actor = String(identity.subjectId);
    const space = String(id);
    return { formats: await this.numbering.saveDefaultFormat({ space, template, overflow, actor }) };
  }

  @Mutation(() => WithdrawDocumentNumberFormatResult, {
    description:
      'Withdraws a version that no number was printed with, such as one with a mistake; its texts become available ' +
      'again. Repeating it has no effect.',
  })
  async withdrawDocumentNumberFormat(
    @Arg('input', () => WithdrawDocumentNumberFormatInput, { description: 'The version.' })
    input: WithdrawDocumentNumberFormatInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof WithdrawDocumentNumberFormatResult> {
    const { version } = input;
    const reference = await seriesReferenceOf(input, this.data, identity);
    try {
      await this.numbering.withdrawFormat({ ...reference, version });
      return memberOf(DocumentNumberFormatWithdrawn, { version });
    } catch (error) {
      if (error instanceof FormatInUseError) {
        return memberOf(DocumentNumberFormatInUse, { version: error.version, message: domainTextOf(error) });
      }
      throw error;
    }
  }

  @FieldResolver(() => Project, { description: 'The project it belongs to.', nullable: true })
  async project(
    @Root() { space }: DocumentNumberFormat,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.data.loaders(context).projects.load(BigInt(space));
  }

  /** Rules that the input does not mention stay as they are. */
  async #defineSeries(reference: SeriesReference, { rules }: SaveDocumentNumberFormatInput): Promise<void> {
    const existing = await findSeries(this.numbering, reference);
    if (rules === undefined && existing !== undefined) return;
    const { closedUntil, openUntil, dimensions, ...fixed } = rules ?? { timeZone: TIME_ZONE };
    const { startAt, manualInterval, endAt, authorityCode, blocked, revision } = existing ?? {};
    await this.numbering.defineSeries({
      ...reference,
      ...fixed,
      ...this.rowId(reference.space),
      dimensions: dimensionsOf(dimensions, existing),
      ...(closedUntil && { closedUntil }),
      ...(openUntil && { openUntil }),
      ...(startAt !== undefined && { startAt }),
      ...(manualInterval && { manualInterval }),
      ...(endAt !== undefined && { endAt }),
      ...(authorityCode !== undefined && { authorityCode }),
      ...(blocked !== undefined && { blocked }),
      ...(revision !== undefined && { expectedRevision: revision }),
    });
  }
}

function formatOf({ template, overflow, validFrom }: CheckDocumentNumberFormatInput) {
  return { template, overflow, ...(typeof validFrom === 'string' && { validFrom }) };
}
