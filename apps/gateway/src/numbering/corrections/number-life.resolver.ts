import type { IssueRequest, Numbering } from '@solegate/doc-numbering';
import { Ctx, Resolver } from 'type-graphql';
import { badInput } from '../../errors/gateway-error.js';
import { Arg } from '../../graphql/described.js';
import { given } from '../../graphql/given.js';
import { RequestContext } from '../../graphql/request-context.js';
import { memberOf, SoleMutation } from '../../graphql/results.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOf } from '../../master-data/project-access.js';
import { NumberMutation, orRefusal, type Refused } from '../issue/issue-refusals.type.js';
import { issueRequestOf } from '../issue/issue-request.js';
import type { IssuedFeed } from '../issue/issued-feed.js';
import { DocumentNumber } from '../ledger/document-number.type.js';
import { fieldsOf, seriesAddressOf } from '../series/series-address.js';
import { ImportDocumentNumbersInput, ImportReport } from './import.type.js';
import {
  AcceptCounterRegressionInput,
  AssignDocumentNumberInput,
  CounterRegressionAccepted,
  DocumentNumberReplaced,
  DocumentNumbersSkipped,
  ReplaceDocumentNumberInput,
  SkipDocumentNumbersInput,
  VoidDocumentNumberInput,
} from './number-life.type.js';

const SKIP_MAX_MS = 60_000;
const IMPORT_ROWS_MAX = 1_000;
const IMPORT_MAX_MS = 600_000;

/** Manual changes to numbers by an administrator. Each records its reason in the ledger. */
@Resolver()
export class NumberLifeResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly feed: IssuedFeed,
  ) {}

  @SoleMutation(
    () => DocumentNumber,
    'Permanently takes a number out of use; it stays in the ledger.',
    'The voided number.',
  )
  async voidDocumentNumber(
    @Arg('input', () => VoidDocumentNumberInput, 'The number, and the reason.')
    input: VoidDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber> {
    const { projectCode, number, reason, replacedBy } = input;
    const project = await projectOf(projectCode, this.data, identity);
    const { voided } = await this.numbering.void({
      space: String(project.id),
      number,
      reason,
      actor: String(identity.subjectId),
      ...given({ replacedBy }),
    });
    return DocumentNumber.ofLedger(voided);
  }

  @NumberMutation(
    () => DocumentNumberReplaced,
    'Takes a number out of use and issues the next one in its place, in one commit.',
    'Both numbers, or why nothing changed.',
  )
  async replaceDocumentNumber(
    @Arg('input', () => ReplaceDocumentNumberInput, 'The number, the reason, and the replacement.')
    { number, reason, replacement }: ReplaceDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberReplaced | Refused> {
    return orRefusal(
      this.#replace({ number, reason }, await issueRequestOf(replacement, this.data, identity)),
    );
  }

  @NumberMutation(
    () => DocumentNumber,
    'Issues one chosen number of a series.',
    'The number, or why it was not issued.',
  )
  async assignDocumentNumber(
    @Arg('input', () => AssignDocumentNumberInput, 'The series, the number, and the reason.')
    input: AssignDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber | Refused> {
    const { sequence, reason } = input;
    const asked = await issueRequestOf(input, this.data, identity);
    const request = { ...asked, ...this.data.mintRowId(asked.space) };
    return orRefusal(
      this.numbering
        .assign({ ...request, sequence, reason })
        .then((assigned) => this.feed.publishNew(assigned)),
    );
  }

  @SoleMutation(
    () => DocumentNumbersSkipped,
    'Records the numbers up to `upTo` as cancelled.',
    'How many numbers were skipped.',
  )
  async skipDocumentNumbers(
    @Arg('input', () => SkipDocumentNumbersInput, 'The series, the last number to skip, and the reason.')
    input: SkipDocumentNumbersInput,
    @Ctx() context: RequestContext,
  ): Promise<DocumentNumbersSkipped> {
    const { identity } = context;
    const { upTo, reason } = input;
    const address = await seriesAddressOf(input, this.data, identity);
    const actor = String(identity.subjectId);
    const timeoutMs = context.timeoutMs(SKIP_MAX_MS);
    return { skippedCount: await this.numbering.skipTo({ ...address, upTo, reason, actor, timeoutMs }) };
  }

  @SoleMutation(
    () => CounterRegressionAccepted,
    'Accepts a counter that is below already issued numbers after a restore: those numbers can be issued again. ' +
      'First make sure that no one relies on them.',
    'The counter as accepted.',
  )
  async acceptCounterRegression(
    @Arg('input', () => AcceptCounterRegressionInput, 'The counter, and the reason.')
    input: AcceptCounterRegressionInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<CounterRegressionAccepted> {
    const address = await seriesAddressOf(input, this.data, identity);
    const actor = String(identity.subjectId);
    return this.numbering.acceptRegression({ ...address, reason: input.reason, actor });
  }

  @SoleMutation(
    () => ImportReport,
    'Imports numbers that another system issued.',
    'What the import did, or would do.',
  )
  async importDocumentNumbers(
    @Arg('input', () => ImportDocumentNumbersInput, 'The numbers, and how to treat holes.')
    input: ImportDocumentNumbersInput,
    @Ctx() context: RequestContext,
  ): Promise<ImportReport> {
    const { identity } = context;
    if (input.rows.length < 1 || input.rows.length > IMPORT_ROWS_MAX) {
      throw badInput('ROW_COUNT', `Import 1 to ${IMPORT_ROWS_MAX} rows per call.`);
    }
    const project = await projectOf(input.projectCode, this.data, identity);
    const space = String(project.id);
    return this.numbering.importNumbers({
      space,
      rows: input.rows.map((row) => ({
        series: row.typeCode,
        fields: fieldsOf(row),
        sequence: row.sequence,
        date: row.date,
        ...this.data.mintRowId(space),
        ...given({ number: row.number }),
      })),
      holes: input.recordHoles ? 'record' : 'refuse',
      dryRun: input.dryRun,
      actor: String(identity.subjectId),
      timeoutMs: context.timeoutMs(IMPORT_MAX_MS),
      ...given({ reason: input.reason }),
    });
  }

  async #replace(
    { number, reason }: Pick<ReplaceDocumentNumberInput, 'number' | 'reason'>,
    request: IssueRequest,
  ): Promise<DocumentNumberReplaced> {
    const { space, actor } = request;
    // A key belongs to the replacement of this number: it neither replaces another one, nor is replayed as an issue.
    const replacement = { ...request, content: `replaces ${number}`, ...this.data.mintRowId(space) };
    const done = await this.numbering.voidAndReplace({ space, number, reason, actor, replacement });
    if (done.replacement === undefined) throw new Error('a replaced number has a replacement');
    const issued = DocumentNumber.ofLedger(done.replacement);
    if (!done.replayed) this.feed.publish(issued);
    return memberOf(DocumentNumberReplaced, {
      voided: DocumentNumber.ofLedger(done.voided),
      replacement: issued,
    });
  }
}
