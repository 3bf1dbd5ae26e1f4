import {
  AmbiguousFormatError,
  FormatInUseError,
  InvalidFormatError,
  type Numbering,
  NumberingError,
  type Series,
  SeriesChangedError,
  UnknownTokenError,
} from '@solegate/doc-numbering';
import { Args, Ctx, Resolver } from 'type-graphql';
import { GatewayError } from '../../errors/gateway-error.js';
import { domainTextOf } from '../../errors/public-error.js';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { Arg, Query } from '../../graphql/described.js';
import { given } from '../../graphql/given.js';
import { PageArgs, pageOfList } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import { memberOf, ResultMutation, SoleMutation } from '../../graphql/results.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOf, projectOfList } from '../../master-data/project-access.js';
import { defineProject } from '../../master-data/resolver-methods.js';
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
  DefaultDocumentNumberFormatSaved,
  DocumentNumberFormatAmbiguous,
  DocumentNumberFormatInUse,
  DocumentNumberFormatInvalid,
  DocumentNumberFormatValid,
  DocumentNumberFormatWithdrawn,
} from './format-results.type.js';
import { seriesAddressOf } from './series-address.js';
import {
  definitionBy,
  dimensionsOf,
  findSeries,
  type SeriesReference,
  seriesReferenceOf,
} from './series-definition.js';

const TIME_ZONE = 'Asia/Bangkok';
const FormatConnection = connectionType('DocumentNumberFormat', DocumentNumberFormat);

@Resolver(() => DocumentNumberFormat)
export class FormatResolver {
  constructor(
    private readonly numbering: Numbering,
    readonly data: MasterData,
  ) {}

  @Query(() => FormatConnection, 'Lists format versions, newest first within each document type.')
  async documentNumberFormats(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => DocumentNumberFormatFilter, 'Which formats to list. Default: all.', {
      nullable: true,
    })
    filter?: DocumentNumberFormatFilter,
  ): Promise<Connection<DocumentNumberFormat>> {
    const project = await projectOfList(filter?.projectCode, this.data, identity);
    const formats = await this.numbering.listFormats(
      given({ space: project && String(project.id), series: filter?.typeCode }),
    );
    return pageOfList(formats.toReversed(), page);
  }

  @Query(() => DocumentNumberPreview, 'Previews the next number of a series without issuing it.')
  async documentNumberPreview(
    @Arg('input', () => DocumentSeriesInput, 'The series.') input: DocumentSeriesInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberPreview> {
    return this.numbering.preview(await seriesAddressOf(input, this.data, identity));
  }

  @Query(
    () => CheckDocumentNumberFormatResult,
    'Checks a template against all stored data, as saving it would, but saves nothing.',
  )
  async documentNumberFormatCheck(
    @Arg('input', () => CheckDocumentNumberFormatInput, 'The series and the template.')
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

  @SoleMutation(
    () => DocumentNumberFormat,
    'Checks a template and saves it as the next version; refused if two counters could print the same number.',
    'The saved version.',
  )
  async saveDocumentNumberFormat(
    @Arg('input', () => SaveDocumentNumberFormatInput, 'The series and the template.')
    input: SaveDocumentNumberFormatInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberFormat> {
    const reference = await seriesReferenceOf(input, this.data, identity);
    const before = await findSeries(this.numbering, reference);
    const defined = await this.#defineSeries(reference, input, before);
    try {
      return await this.numbering.saveFormat({
        ...reference,
        ...formatOf(input),
        ...given({ description: input.description }),
        ...this.data.mintRowId(reference.space),
      });
    } catch (error) {
      const isSaved = error instanceof NumberingError && error.code === 'OUTCOME_UNKNOWN';
      if (before && defined && !isSaved) await this.#putBack(reference, before, defined);
      throw error;
    }
  }

  @SoleMutation(
    () => DefaultDocumentNumberFormatSaved,
    'Saves a default template for a project: every series without a format gets it as its first version, now or when the series is defined, if it fits.',
    'What the default template was saved for.',
  )
  async saveDefaultDocumentNumberFormat(
    @Arg('input', () => SaveDefaultDocumentNumberFormatInput, 'The project and the template.')
    input: SaveDefaultDocumentNumberFormatInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DefaultDocumentNumberFormatSaved> {
    const { projectCode, template, overflow } = input;
    const { id } = await projectOf(projectCode, this.data, identity);
    const actor = String(identity.subjectId);
    const space = String(id);
    return { formats: await this.numbering.saveDefaultFormat({ space, template, overflow, actor }) };
  }

  @ResultMutation(
    () => [DocumentNumberFormatWithdrawn, DocumentNumberFormatInUse],
    'Withdraws a version that no number was printed with, such as one with a mistake; its texts become available ' +
      'again. Repeating it has no effect.',
    'Whether the version was withdrawn.',
  )
  async withdrawDocumentNumberFormat(
    @Arg('input', () => WithdrawDocumentNumberFormatInput, 'The version.')
    input: WithdrawDocumentNumberFormatInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberFormatWithdrawn | DocumentNumberFormatInUse> {
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

  /** Rules that the input does not mention stay as they are. */
  async #defineSeries(
    reference: SeriesReference,
    { rules }: SaveDocumentNumberFormatInput,
    existing: Series | undefined,
  ): Promise<Series | undefined> {
    if (!rules && existing !== undefined) return undefined;
    const { closedUntil, openUntil, dimensions, ...fixed } = rules ?? { timeZone: TIME_ZONE };
    const { startAt, manualInterval, endAt, authorityCode, blocked, revision } = existing ?? {};
    return this.numbering.defineSeries({
      ...reference,
      ...fixed,
      ...this.data.mintRowId(reference.space),
      dimensions: dimensionsOf(dimensions, existing),
      ...given({ closedUntil, openUntil, startAt, manualInterval, endAt, authorityCode, blocked }),
      ...given({ expectedRevision: revision }),
    });
  }

  /**
   * Gives a series the rules back that it had before a format was refused, unless somebody has changed them since.
   *
   * @throws {GatewayError} OUTCOME_UNKNOWN if that fails: they were changed, although the format was not saved
   */
  async #putBack(reference: SeriesReference, before: Series, { revision }: Series): Promise<void> {
    try {
      await this.numbering.defineSeries(definitionBy(before, { ...reference, expectedRevision: revision }));
    } catch (cause) {
      if (cause instanceof SeriesChangedError) return;
      throw new GatewayError({
        code: 'OUTCOME_UNKNOWN',
        reason: 'OUTCOME_UNKNOWN',
        message:
          'The format was not saved, but the rules of the series are the new ones; repeat the request.',
        retryable: true,
        cause,
      });
    }
  }
}

function formatOf({ template, overflow, validFrom }: CheckDocumentNumberFormatInput) {
  return { template, overflow, ...given({ validFrom }) };
}

defineProject(FormatResolver.prototype, ({ space }: DocumentNumberFormat) => space);
