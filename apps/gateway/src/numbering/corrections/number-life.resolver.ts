import type { Numbering } from '@solegate/doc-numbering';
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { memberOf } from '../../graphql/member.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { MasterData, MintRowId } from '../../master-data/master-data.js';
import { projectOf } from '../../master-data/project-access.js';
import { orRefusal } from '../issue/issue-refusals.type.js';
import { issueRequestOf } from '../issue/issue-request.js';
import type { IssuedFeed } from '../issue/issued-feed.js';
import { DocumentNumber } from '../ledger/document-number.type.js';
import { seriesAddressOf } from '../series/series-address.js';
import {
  AcceptCounterRegressionInput,
  AssignDocumentNumberInput,
  ReplaceDocumentNumberInput,
  SkipDocumentNumbersInput,
  VoidDocumentNumberInput,
} from './number-life.inputs.js';
import {
  AcceptCounterRegressionResult,
  AssignDocumentNumberResult,
  type CounterRegressionAccepted,
  DocumentNumberReplaced,
  type DocumentNumbersSkipped,
  ReplaceDocumentNumberResult,
  SkipDocumentNumbersResult,
  VoidDocumentNumberResult,
} from './number-life.type.js';

const SKIP_MAX_MS = 60_000;

/** Manual changes to numbers by an administrator. Each records its reason in the ledger. */
@Resolver()
export class NumberLifeResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly rowId: MintRowId,
    private readonly feed: IssuedFeed,
  ) {}

  @Mutation(() => VoidDocumentNumberResult, {
    description: 'Permanently takes a number out of use; it stays in the ledger.',
  })
  async voidDocumentNumber(
    @Arg('input', () => VoidDocumentNumberInput, { description: 'The number, and the reason.' })
    input: VoidDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber> {
    const project = await projectOf(input.projectCode, this.data, identity);
    const { voided } = await this.numbering.void({
      space: String(project.id),
      number: input.number,
      reason: input.reason,
      actor: String(identity.subjectId),
      ...(typeof input.replacedBy === 'string' && { replacedBy: input.replacedBy }),
    });
    return DocumentNumber.ofLedger(voided);
  }

  @Mutation(() => ReplaceDocumentNumberResult, {
    description: 'Takes a number out of use and issues the next one in its place, in one commit.',
  })
  async replaceDocumentNumber(
    @Arg('input', () => ReplaceDocumentNumberInput, {
      description: 'The number, the reason, and the replacement.',
    })
    { number, reason, replacement }: ReplaceDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof ReplaceDocumentNumberResult> {
    const request = await issueRequestOf(replacement, this.data, identity);
    return orRefusal(this.#replace({ number, reason }, { ...request, ...this.rowId(request.space) }));
  }

  @Mutation(() => AssignDocumentNumberResult, { description: 'Issues one chosen number of a series.' })
  async assignDocumentNumber(
    @Arg('input', () => AssignDocumentNumberInput, { description: 'The series, the number, and the reason.' })
    input: AssignDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof AssignDocumentNumberResult> {
    const { sequence, reason } = input;
    const asked = await issueRequestOf(input, this.data, identity);
    const request = { ...asked, ...this.rowId(asked.space) };
    return orRefusal(
      this.numbering
        .assign({ ...request, sequence, reason })
        .then((assigned) => this.feed.publish(new DocumentNumber(assigned, 'manual'))),
    );
  }

  @Mutation(() => SkipDocumentNumbersResult, {
    description: 'Records the numbers up to `upTo` as cancelled.',
  })
  async skipDocumentNumbers(
    @Arg('input', () => SkipDocumentNumbersInput, {
      description: 'The series, the last number to skip, and the reason.',
    })
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

  @Mutation(() => AcceptCounterRegressionResult, {
    description:
      'Accepts a counter that is below already issued numbers after a restore: those numbers can be issued again. ' +
      'First make sure that no one relies on them.',
  })
  async acceptCounterRegression(
    @Arg('input', () => AcceptCounterRegressionInput, { description: 'The counter, and the reason.' })
    input: AcceptCounterRegressionInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<CounterRegressionAccepted> {
    const address = await seriesAddressOf(input, this.data, identity);
    const actor = String(identity.subjectId);
    return this.numbering.acceptRegression({ ...address, reason: input.reason, actor });
  }

  async #replace(
    { number, reason }: Pick<ReplaceDocumentNumberInput, 'number' | 'reason'>,
    replacement: Awaited<ReturnType<typeof issueRequestOf>>,
  ): Promise<DocumentNumberReplaced> {
    const { space, actor } = replacement;
    const done = await this.numbering.voidAndReplace({ space, number, reason, actor, replacement });
    if (done.replacement === undefined) throw new Error('a replaced number has a replacement');
    return memberOf(DocumentNumberReplaced, {
      voided: DocumentNumber.ofLedger(done.voided),
      replacement: DocumentNumber.ofLedger(done.replacement),
    });
  }
}
